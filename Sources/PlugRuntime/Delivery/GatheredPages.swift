internal import PlugCore
internal import PlugStorage

/// Complete pages whose records are proved, and which wait to be committed together.
struct GatheredPages: Equatable {
    private var commit = PendingCommit()
    /// When the first of them was complete.
    private var since: Int64?
    private(set) var bytes = 0

    /// How long they have been waiting, in microseconds.
    func age(at now: Int64) -> Int64 { now - (since ?? now) }

    /// Adds a page that may wait.
    mutating func add(_ page: PendingCommit, at now: Int64) {
        guard !page.isEmpty else { return }
        bytes += page.bytes
        if since == nil { since = now }
        commit.states.merge(page.states) { $1 }
        commit.proved += page.proved
    }

    /// Hands them over, together with what has become of the current page.
    mutating func take(with page: PendingCommit) -> PendingCommit {
        guard since != nil else { return page }
        defer { self = GatheredPages() }
        var page = page
        page.states = commit.states.merging(page.states) { $1 }
        page.proved = commit.proved + page.proved
        return page
    }
}
