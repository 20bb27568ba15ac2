import LosslessJSON
import PlugCore

/// A page on a walk through a stream.
struct WalkedPage: Sendable {
    var records: [JSONView]
    /// Records among them that are broken.
    var broken: [FetchedPage.Broken] = []
    /// How many records of its first answer were delivered earlier, on other pages.
    var preceding = 0
    /// Whether it is made up of several answers.
    var isOfSeveralAnswers = false
    /// What it counts for in shared memory, if not the bytes that were read for it.
    var weight: Int?
    /// The names of the parts of a child's state that belong to the records; only in pages of parents.
    var names: [String] = []
    /// The name of the archive entry that contains them.
    var entry: String?
    /// The records it was read for.
    var lineage = Lineage()
    /// The name of the parent, through all levels; empty if there is none, or several.
    var path = ""
    /// What is proved about the parent streams once everything read for the records is safe; only in pages of parents.
    var proofs: [ParentProof] = []
    /// When the source returned it, by its own clock; `nil` if it does not say.
    var listed: Timestamp?
    /// What it counts for in shared memory.
    var size: Int { weight ?? cost.bytes }
    /// How many records it delivers, broken ones included.
    var given: Int { records.count + broken.count }
    /// Leads back to this very page.
    var mark: JSONValue
    /// The same for a reader that has dealt with the first of its records, and will find the others there later.
    var again: JSONValue?
    /// Where the next run has to continue if records of this page do not fit the manifest; only in pages of archives.
    var before: JSONValue?
    /// Leads to the page after it, `nil` if this is the last one.
    var following: JSONValue?
    /// The states of the parts that this page moved, besides the stream's own.
    var parts: [String: StreamState] = [:]
    /// Those of them that prove something about parents, as long as all records fit the manifest.
    var provedParts: Set<String> = []
    /// The stream's own state if records of some part turn out not to fit the manifest, and it has to remember that.
    var leavingOut: PartState?
    /// The bounds of `since` in the request.
    var bounds: FetchedPage.Bounds?
    var cost: FetchedPage.Cost
    var origin: String
    /// The parents whose children the records are, if the page has several.
    var groups: [FetchedPage.Group] = []
    /// Whether the walk went back to the first page here, because the source refused the place it was to continue from.
    var startedOver = false
    /// Whether the requested item exists.
    var presence = Presence.there
    /// Whether the source says that the whole stream is unchanged since the end of the last pass. Nothing is to be kept.
    var isUnchanged = false
    /// Shows later whether this page, the only one of its pass, has changed.
    var validator: JSONValue?
}

/// Whether the item that a page was requested for exists.
enum Presence: Sendable, Equatable {
    case there
    case gone
    /// It was not found in one window, which may only mean that there is nothing in it.
    case unknown
}

/// What a walk returns when asked for a page.
enum WalkStep: Sendable {
    case page(WalkedPage)
    /// There are no more pages.
    case end
    /// The page has not arrived in time. It comes later.
    case notYet
}

/// Walks through the pages of a stream. Used by one task at a time; once it was asked for a page, earlier copies are invalid.
protocol Walk: Sendable {
    /// The next page. After an error the walk is where it was before the call.
    ///
    /// - Parameter deadline: In microseconds of the steady clock: how long a walk that prefetches waits for a page. Others cannot
    ///   abandon a request, and wait for it.
    mutating func next(until deadline: Int64?) async throws -> WalkStep
    /// Where the next pass starts, as far as is known so far.
    var watermark: JSONValue? { get }
}

extension Walk {
    /// The next page, however long it takes; `nil` after the last one.
    mutating func next() async throws -> WalkedPage? {
        if case .page(let page) = try await next(until: nil) { page } else { nil }
    }
}
