package import PlugCore
package import PlugRuntime
internal import PlugStorage
internal import Synchronization

/// The active runs of this process, in numbers, for whoever watches one.
///
/// A run is forgotten when it ends. It reports each page; watchers are then woken and read the current state, so that a slow
/// watcher holds nothing up.
package final class LiveRuns: Sendable {
    /// How far a run has come.
    package struct Progress: Sendable, Equatable {
        /// When it began, in microseconds since 1970.
        package var startedAt: Int64
        /// The streams it has reached, in order.
        package var streams: [Stream] = []
        /// The codes of warnings that need attention.
        package var warnings: [String] = []
    }

    /// A stream's numbers so far.
    package struct Stream: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// What was counted.
        package var counts: StreamCounts

        /// A stream's numbers.
        package init(name: String, counts: StreamCounts) { (self.name, self.counts) = (name, counts) }
    }

    /// How many watchers are allowed at a time.
    package static let watcherLimit = 64
    private static let warningLimit = 10

    private struct State {
        var runs: [ConnectionID: Progress] = [:]
        var watchers: [Int: (connection: ConnectionID, bell: Bell)] = [:]
        var lastWatcher = 0
    }

    private let state = Mutex(State())
    private let clock: any HostClock

    /// No active runs.
    package init(clock: any HostClock) { self.clock = clock }

    /// The progress of a connection's active run; `nil` if there is none.
    package func progress(of connection: ConnectionID) -> Progress? { state.withLock { $0.runs[connection] } }

    /// Records a runner's event, from any thread.
    package func note(_ event: SyncRunner.Event) {
        switch event {
        case .during(let connection, let event): note(event, of: connection)
        case .ended(let report, _): end(ConnectionID(report.connection))
        case .failed(let claim, _): end(claim.connection)
        case .began: break
        }
    }

    private func note(_ event: RunEvent, of connection: ConnectionID) {
        switch event {
        case .prepared: begin(connection)
        case .stream(let name):
            begin(connection)
            change(connection) { $0?.note(name, StreamCounts()) }
        case .counts(let name, let counts): change(connection) { $0?.note(name, counts) }
        case .warning(let code, _):
            change(connection) { progress in
                guard let known = progress?.warnings, known.count < Self.warningLimit, !known.contains(code.text) else {
                    return
                }
                progress?.warnings.append(code.text)
            }
        case .fetch, .delivery, .record, .tried, .columns: break
        }
    }

    private func begin(_ connection: ConnectionID) {
        let now = clock.now()
        change(connection) { $0 = $0 ?? Progress(startedAt: now) }
    }

    private func end(_ connection: ConnectionID) { change(connection) { $0 = nil } }

    private func change(_ connection: ConnectionID, _ change: (inout Progress?) -> Void) {
        let bells = state.withLock { state in
            change(&state.runs[connection])
            return state.watchers.isEmpty
                ? [] : state.watchers.values.filter { $0.connection == connection }.map(\.bell)
        }
        for bell in bells { bell.ring() }
    }

    // MARK: - Watching

    /// A watcher of a connection's runs: notified of each change, until it is released.
    package final class Watcher: Sendable {
        /// Rung when something has changed.
        package let bell: Bell
        private let number: Int
        private let runs: LiveRuns

        fileprivate init(_ number: Int, _ bell: Bell, _ runs: LiveRuns) {
            (self.number, self.bell, self.runs) = (number, bell, runs)
        }

        deinit { runs.leave(number) }
    }

    /// Watches the runs of a connection; `nil` if there are too many watchers.
    package func watch(_ connection: ConnectionID) -> Watcher? {
        let bell = Bell()
        let number = state.withLock { state -> Int? in
            guard state.watchers.count < Self.watcherLimit else { return nil }
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = (connection, bell)
            return state.lastWatcher
        }
        return number.map { Watcher($0, bell, self) }
    }

    /// The number of watchers, for tests.
    package var watcherCount: Int { state.withLock { $0.watchers.count } }

    private func leave(_ number: Int) { state.withLock { $0.watchers[number] = nil } }
}

extension LiveRuns.Progress {
    fileprivate mutating func note(_ name: String, _ counts: StreamCounts) {
        if let at = streams.firstIndex(where: { $0.name == name }) {
            // A stream that starts again keeps its counts.
            if counts != StreamCounts() { streams[at].counts = counts }
        } else {
            streams.append(LiveRuns.Stream(name: name, counts: counts))
        }
    }
}
