import CurlTransport
import Decoding
import LosslessJSON
import PlugCore
import PlugManifest

/// One request, complete except for its credentials.
struct PreparedRequest: Sendable {
    var method: String
    var url: HTTPURL
    var headers: [HTTPHeader]
    var body: [UInt8]?
    /// What the body is; `nil` without one.
    var bodyKind: RequestBody.Kind?
    /// The stream's own credentials; `nil` for those of the run.
    var credentials: Credentials?
    /// The stream's own status rules, which precede those of `http`.
    var rules: [StatusRule] = []
    /// How its answers are decoded, `nil` for JSON.
    var decoding: AnswerDecoding?
    /// Whether such an answer is to come in one block.
    var decodesWhole = false
    /// The location of the list in its JSON answers, if large ones are read in pieces.
    var list: JSONList?
    /// Whether an answer with `errors` is an error.
    var isGraphQL = false
    /// Recognises an answer that is an error in spite of its status; `nil` if this is not checked.
    var errors: ErrorAnswer?
    /// How many records it requests, and the minimum if the source refuses larger pages; `nil` if it does not say.
    var size: (asked: Int, minimum: Int)?
    /// Whether the records that follow can be requested with another bound.
    var canReset = false
    /// The header that makes the request conditional on changes.
    var condition: HTTPHeader?
    /// Whether the answer is wanted unprocessed, whatever it holds.
    var isWhole = false
    /// Failure statuses that are wanted unprocessed as well.
    var handled: Set<Int> = []
    /// Whether the stream's path itself names the host: then credentials go there, wherever the name comes from.
    var isNamed = false
}

/// How to treat answers to one request.
struct Handling: Sendable {
    /// The request is for a position that an earlier run left: if the source refuses it, the pass starts over.
    var isResuming = false
    /// The request is for what is new since a saved cursor, which can be forgotten.
    var hasCursor = false
    /// The request is for the details of one parent, which may be gone since it was listed.
    var isDetail = false
}

/// The outcome of a request.
struct Answer: Sendable {
    enum Content: Sendable {
        /// A page.
        case page(JSONDocument)
        /// A page that comes block by block: it is not JSON, or a large JSON list.
        case decoded(AnswerDecoder, RecordFormat)
        /// The unprocessed answer: only the Swift fetcher that asked knows what it means.
        case whole(HTTPResponse)
        /// No records: 204.
        case empty
        /// No records, because a rule says `skip`: no need to ask again.
        case skipped
        /// The requested item is gone: 404 or 410 for a child.
        case gone(status: Int)
        /// Nothing has changed: 304 to a conditional request.
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
    /// The size of its body if another reader requested it, and `cost` has none.
    var weight: Int?
    /// What distinguishes this answer from a later one; `nil` if nothing reliable does.
    var validator: Validator?
}

/// The source refuses a page as too big, and a smaller one can be requested.
struct PageTooBig: Error {
    var cost: FetchedPage.Cost
}

/// The source gives no more pages of a search, and the rest can be requested with another bound.
struct SearchFull: Error {
    var cost: FetchedPage.Cost
    /// The error if no other bound helps.
    var error: PlugError
}

/// The source no longer recognises the saved cursor.
struct CursorRefused: Error {
    var cost: FetchedPage.Cost
}

/// The source no longer recognises the position of an interrupted pass.
struct PlaceRefused: Error {
    var cost: FetchedPage.Cost
}
