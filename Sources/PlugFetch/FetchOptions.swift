package import OAuth
package import PlugCore

/// What the user asks of one run on the command line.
package struct FetchOptions: Sendable {
    /// The lower bound that replaces the watermark (`--since T`); `nil` leaves it to the state.
    ///
    /// For streams ordered by time: a time, a day, seconds since 1970 or a duration before now such as `7d`; for others the value
    /// in the source's own form.
    package var since: String?
    /// The first day the user wants, such as `2024-01-01`, in place of the manifest's `since.from`, which `nil` leaves in force.
    /// It applies to streams ordered by time that have not been read before; the others are unaffected.
    package var firstDay: String?
    /// The most pages that a reader delivers before it stops, without ending the pass; `nil` for all. With a limit, small pages
    /// are not merged.
    package var pageLimit: Int?
    /// How many children of a page are requested at once if `http.limits` does not say.
    package var concurrency: Int

    /// Whether children of parents are prefetched. Without it requests go out one after another in a fixed order, so that a
    /// reader that stops has sent only the requests its pages came from.
    package var readsAhead = true

    /// Whether the run is a manifest author's trial: it also tells what may be chance, such as a page with a round number of records.
    package var isTrial = false

    /// Whether streams are read even if the source says they have not changed.
    package var readsUnchanged: Bool

    /// The connection the run belongs to: what the source tells it about its quota is remembered under this name. `nil` remembers
    /// it for this run only.
    package var connection: ConnectionID?

    /// Stores the source's grants to the connection beyond the run; `nil` keeps them for this run only.
    package var grants: (any GrantKeeping)?
    /// The OAuth clients of this host, by provider.
    package var clients: [String: ClientIdentity] = [:]
    /// The streams that this run reads for their records; `nil` for all that are delivered.
    package var streams: Set<String>?
    /// The memory for answers shared by several streams; shared by the runs of a process.
    package var answerRoom = AnswerRoom()
    /// A folder on a disk with enough space, where large answers wait to be decoded.
    package var scratchFolder = ScratchFile.defaultFolder
    /// How much space they may take there together.
    package var scratchRoom = ScratchRoom()
    /// JSON answers of more bytes than this are read in pieces, if the stream allows it; `nil` for none. 4 MiB: few are so large,
    /// and smaller ones are read faster whole. With a `pageLimit` all are read whole: it counts answers, not their pieces.
    package var largestWholePage: Int? = 4 << 20
    /// The most records of a decoded answer that are delivered at once; `nil` for the default number.
    package var blockRecords: Int?
    /// An access token that replaces those of `auth.oauth2` and of consents, so that no token is requested: for stored
    /// conversations, and to check a new consent.
    package var accessToken: Secret?
    /// With OAuth 1.0a, the secret that signs requests with it.
    package var tokenSecret: Secret?
    /// What was kept of the response that granted it.
    package var grantValues: [String: String] = [:]

    /// Options; by default, a run continues where the last one ended and reads everything.
    package init(since: String? = nil, pageLimit: Int? = nil, concurrency: Int = 4, readsUnchanged: Bool = false) {
        self.since = since
        self.pageLimit = pageLimit
        self.concurrency = concurrency
        self.readsUnchanged = readsUnchanged
    }
}
