package import PlugCore
internal import Synchronization

/// The limits of all sources that a process reads: one value per process, shared by the fetchers of all connections.
///
/// A plug's rates, its `concurrency` and what its source asked for (`Retry-After`) apply to all connections of the plug together,
/// and outlive the process if the notes do.
package final class SourceLimits: Sendable {
    private let notes: ServerNotes
    private let clock: any HostClock
    private let sources = Mutex<[String: SourceLimit]>([:])

    /// Limits of which this process has used nothing yet.
    ///
    /// - Parameters:
    ///   - notes: What earlier processes used, and where later ones find what this one did.
    ///   - clock: Its steady time is used.
    package init(notes: ServerNotes = ServerNotes(nil), clock: any HostClock = SystemClock()) {
        self.notes = notes
        self.clock = clock
    }

    /// The limits of one source.
    ///
    /// - Parameters:
    ///   - name: Identifies the plug and the hosts it reads.
    ///   - rates: Those of the newest manifest; they apply from now on.
    ///   - concurrency: How many requests may be in flight at once.
    package func source(_ name: String, _ rates: [RateLimit], concurrency: Int? = nil) -> SourceLimit {
        let source = sources.withLock { sources in
            if let source = sources[name] { return source }
            let source = SourceLimit("limits \(name)", notes: notes, clock: clock, concurrency: concurrency)
            sources[name] = source
            return source
        }
        source.adopt(rates)
        return source
    }

    /// The limit that a source applies to one connection, such as an exhausted quota. It is for one run: a connection has only
    /// one at a time, and what it was told is in the notes.
    package func connection(_ id: ConnectionID?) -> SourceLimit {
        guard let id else { return SourceLimit("", notes: ServerNotes(nil), clock: clock) }
        return SourceLimit(ServerNote.name(of: id), notes: notes, clock: clock)
    }

    /// The sources that have asked to be left alone, and still are.
    func closed() -> [RememberedLimit] {
        let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
        return sources.withLock { $0 }.compactMap { name, source in
            let until = source.closedUntil
            guard until > now else { return nil }
            let (name, wall) = ("limits \(name)", mark.wall(of: until))
            return RememberedLimit(name: name, kind: .source, until: wall, reason: RememberedLimit.asked)
        }
    }

    /// Forgets what sources asked for and how much of their rates was used; the rates themselves stay.
    func forget(_ scope: ForgottenLimits.Scope) async {
        await notes.forget(scope)
        for (name, source) in sources.withLock({ $0 }) where scope.contains("limits \(name)") { source.forget() }
    }

    /// Returns unused leases. Call it when a process, or its last run, ends; otherwise the next one starts a few requests short.
    package func settle() async {
        for source in sources.withLock({ $0.sorted { $0.key < $1.key }.map(\.value) }) { await source.settle() }
    }
}
