import CurlTransport
import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

/// One request, ready to be sent but for its credentials.
struct PreparedRequest: Sendable {
    var method: String
    var url: HTTPURL
    var headers: [HTTPHeader]
    var body: [UInt8]?
    /// What the body is; `nil` without one.
    var bodyKind: RequestBody.Kind?
    /// The stream's own credentials; `nil` for those of the run.
    var credentials: Credentials?
    /// What the stream says of its answers, before what `http` says.
    var rules: [StatusRule] = []
    /// What its answers are, `nil` for JSON.
    var decoding: AnswerDecoding?
    /// Whether such an answer is to come in one block.
    var decodesWhole = false
    /// Where its answers of JSON have their list, if large ones are read in pieces of it.
    var list: JSONList?
    /// Whether an answer with `errors` is an error.
    var isGraphQL = false
    /// What tells an answer that is an error in spite of its status; `nil` where none is looked for.
    var errors: ErrorAnswer?
    /// How many records it asks for, and how many at least where the source refuses larger pages; `nil` where it does not say.
    var size: (asked: Int, minimum: Int)?
    /// Whether what follows can be asked for with another bound.
    var canReset = false
    /// The header that asks for an answer only if there is something new.
    var condition: HTTPHeader?
    /// Whether the answer is wanted as it is, whatever it holds.
    var isWhole = false
    /// Statuses of failures that are wanted as they are, too.
    var handled: Set<Int> = []
    /// Whether the stream's path itself names the host: then credentials go there, wherever the name comes from.
    var isNamed = false
}

/// How answers to one request are to be taken.
struct Handling: Sendable {
    /// The request goes to a place that an earlier run left: where the source refuses it, the pass starts over.
    var isResuming = false
    /// The request asks for what is new since a saved cursor, which can be forgotten.
    var hasCursor = false
    /// The request asks for the details of one parent, which may be gone since it was listed.
    var isDetail = false
}

/// What came of a request.
struct Answer: Sendable {
    enum Content: Sendable {
        /// A page.
        case page(JSONDocument)
        /// A page that comes block by block: it is no JSON, or a large list of JSON.
        case decoded(AnswerDecoder, RecordFormat)
        /// The answer as it is: what it means is known to the fetcher in Swift that asked.
        case whole(HTTPResponse)
        /// No records: 204.
        case empty
        /// No records, because a rule says `skip`: nothing has to be asked twice for that.
        case skipped
        /// The thing that was asked for is gone: 404 or 410 for a child.
        case gone(status: Int)
        /// What is there is what was there before: 304 to a request with a condition.
        case unchanged

        /// Whether it is a page, of JSON or decoded.
        var isPage: Bool {
            switch self {
            case .page, .decoded: true
            case .whole, .empty, .skipped, .gone, .unchanged: false
            }
        }
    }

    var content: Content
    /// The address that answered, after redirects.
    var url: HTTPURL
    var headers: HTTPHeaders
    var cost: FetchedPage.Cost
    /// The bytes of its body that are in memory.
    var held = 0
    /// The bytes of its body where another reader asked for it, and `cost` has none.
    var weight: Int?
    /// What tells this answer from a later one; `nil` if nothing reliable does.
    var validator: Validator?
}

/// The source refuses a page as too big, and a smaller one can be asked for.
struct PageTooBig: Error {
    var cost: FetchedPage.Cost
}

/// The source gives no more pages of a search, and what follows can be asked for with another bound.
struct SearchFull: Error {
    var cost: FetchedPage.Cost
    /// What it is where no other bound helps.
    var error: PlugError
}

/// The source does not know the saved cursor any more.
struct CursorRefused: Error {
    var cost: FetchedPage.Cost
}

/// The source does not know the place of an interrupted pass any more.
struct PlaceRefused: Error {
    var cost: FetchedPage.Cost
}
