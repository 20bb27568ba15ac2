package import OAuth
package import PlugCore

/// What the person at the command line asks of one run.
package struct FetchOptions: Sendable {
    /// The lower bound in place of the watermark (`--since T`); `nil` leaves it to the state.
    ///
    /// For streams of times a time, a day, seconds since 1970 or a duration before now such as `7d`; for others the
    /// value as the source knows it.
    package var since: String?
    /// The first day that the person wants, such as `2024-01-01`, in place of the manifest's `since.from`; `nil` leaves it to that.
    /// It counts where a stream of times has not been read before, and moves nothing that has.
    package var firstDay: String?
    /// The most pages that a reader gives before it stops, without ending the pass; `nil` for all. With a limit, small pages are not
    /// put together.
    package var pageLimit: Int?
    /// How many children of a page are asked for at once where `http.limits` does not say.
    package var concurrency: Int

    /// Whether children of parents are asked for before their turn. Without it requests follow one another in one order, so that a
    /// reader that stops has sent what its pages are made of and nothing else.
    package var readsAhead = true

    /// Whether answers are searched for what says that there is more, where a stream has no `page`: for authors, who want to know.
    package var looksForMore = false

    /// Whether streams are read that the source says have not changed.
    package var readsUnchanged: Bool

    /// Whose run it is: what the source tells this connection about its quota is remembered under this name. `nil`
    /// remembers it for this run only.
    package var connection: ConnectionID?

    /// Where what the source grants to the connection outlives the run; `nil` keeps it for this run only.
    package var grants: (any GrantKeeping)?
    /// The OAuth clients of this host, by provider.
    package var clients: [String: ClientIdentity] = [:]
    /// The streams that this run reads for their records; `nil` for all that are delivered.
    package var streams: Set<String>?
    /// The memory for answers that several streams are read from; shared by the runs of a process.
    package var answerRoom = AnswerRoom()
    /// A folder on a disk with room, where large answers wait until they are decoded.
    package var scratchFolder = ScratchFile.usualFolder
    /// How much they may take there together.
    package var scratchRoom = ScratchRoom()
    /// Answers of JSON of more bytes are read in pieces, where the stream allows it; `nil` for none. 4 MiB: few are so large, and a
    /// smaller one is read faster as a whole. With a `pageLimit` all are read as a whole: it counts answers, not pieces of them.
    package var largestWholePage: Int? = 4 << 20
    /// The most records of a decoded answer that are given at once; `nil` for the usual number.
    package var blockRecords: Int?
    /// An access token in the place of those of `auth.oauth2` and of consents, so that nobody is asked for one: for stored
    /// conversations, and to check a new consent.
    package var accessToken: Secret?
    /// What requests with it are signed with, with OAuth 1.0a.
    package var tokenSecret: Secret?
    /// What was kept of the answer that gave it.
    package var grantValues: [String: String] = [:]

    /// Options; without any, a run continues where the last one ended and reads everything.
    package init(since: String? = nil, pageLimit: Int? = nil, concurrency: Int = 4, readsUnchanged: Bool = false) {
        self.since = since
        self.pageLimit = pageLimit
        self.concurrency = concurrency
        self.readsUnchanged = readsUnchanged
    }
}
