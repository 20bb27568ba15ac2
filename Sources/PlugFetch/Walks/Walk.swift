import LosslessJSON
import PlugCore

/// A page on a walk through a stream.
struct WalkedPage: Sendable {
    var records: [JSONView]
    /// Records among them that are broken.
    var broken: [FetchedPage.Broken] = []
    /// How many records of its first answer were given before, on other pages.
    var preceding = 0
    /// Whether it is made of several answers.
    var isOfSeveralAnswers = false
    /// What it counts for where memory is shared, if not as the bytes that were read for it.
    var weight: Int?
    /// The names of the parts of a child's state that belong to the records; only in pages of parents.
    var names: [String] = []
    /// The name of the archive's entry that they stand in.
    var entry: String?
    /// What the records are read for.
    var lineage = Lineage()
    /// The name of that, through all levels; empty where there is none, or several.
    var path = ""
    /// What is proved of the streams above when all is safe that is read for the records; only in pages of parents.
    var proofs: [ParentProof] = []
    /// When the source gave it, by its own clock; `nil` where it does not say so.
    var listed: Timestamp?
    /// What it counts for where memory is shared.
    var size: Int { weight ?? cost.bytes }
    /// How many records it gives, broken ones included.
    var given: Int { records.count + broken.count }
    /// What leads back to this very page.
    var mark: JSONValue
    /// The same for one who has dealt with the first of its records, and will find the others there later.
    var again: JSONValue?
    /// What leads to the page after it, `nil` if this is the last one.
    var following: JSONValue?
    /// The states of the parts that this page moved, beside the stream's own.
    var parts: [String: StreamState] = [:]
    /// Those of them that prove something of parents, as long as no record turns out not to fit the manifest.
    var provedParts: Set<String> = []
    /// The stream's own state if records of some part turn out not to fit the manifest: where it has to remember that.
    var leavingOut: PartState?
    /// What the request asked for, of `since`.
    var bounds: FetchedPage.Bounds?
    var cost: FetchedPage.Cost
    var origin: String
    /// The parents whose children the records are, where the page has several.
    var groups: [FetchedPage.Group] = []
    /// Whether the walk went back to the first page here, because the source refused the place it was to continue at.
    var startedOver = false
    /// Whether what was asked for is there.
    var presence = Presence.there
    /// Whether the source says that the whole stream is as it was at the end of the last pass. Nothing is to be kept.
    var isUnchanged = false
    /// What tells whether this page, the only one of its pass, has changed later.
    var validator: JSONValue?
}

/// Whether what a page was asked for is there.
enum Presence: Sendable, Equatable {
    case there
    case gone
    /// It was not found in one window, which may only mean that there is nothing in it.
    case unknown
}

/// What a walk gives when it is asked for a page.
enum WalkStep: Sendable {
    case page(WalkedPage)
    /// There are no more pages.
    case end
    /// The page has not come in time. It comes later.
    case notYet
}

/// Goes through the pages of a stream. Used by one task at a time; once it was asked for a page, copies are of no use.
protocol Walk: Sendable {
    /// The next page. After an error the walk is where it was before the call.
    ///
    /// - Parameter deadline: In microseconds of the steady clock: how long a walk that fetches ahead waits for a page. Others
    ///   cannot leave a request alone, and wait for it.
    mutating func next(until deadline: Int64?) async throws -> WalkStep
    /// Where the next pass begins, as far as is known by now.
    var watermark: JSONValue? { get }
}

extension Walk {
    /// The next page, however long it takes; `nil` after the last one.
    mutating func next() async throws -> WalkedPage? {
        if case .page(let page) = try await next(until: nil) { page } else { nil }
    }
}
