internal import PlugCore
internal import PlugStorage
internal import ServiceLifecycle
internal import Synchronization
internal import Syncing

/// The stream sent to a browser that watches a connection, piece by piece (server-sent events).
///
/// The next piece is requested only when the last one has been sent: a slow browser gets fewer, and nothing piles up.
final class LiveEvents: Sendable {
    /// How long one browser watches: then it reconnects automatically, and its access is checked again.
    private static let longest = Duration.seconds(600)
    /// How often something is sent if nothing happens, so that no intermediary takes the connection for dead.
    private static let pulse = Duration.seconds(15)
    /// The minimum time between two pieces.
    private static let pause = Duration.milliseconds(250)

    private let connection: ConnectionID
    private let store: any PlugStore
    private let live: LiveRuns
    private let watcher: LiveRuns.Watcher
    private let clock: any HostClock
    private let end: Int64
    private let sent = Mutex<LiveText?>(nil)

    /// `nil` if the maximum number of watchers is reached.
    init?(_ connection: ConnectionID, in store: any PlugStore, _ live: LiveRuns, clock: any HostClock) {
        guard let watcher = live.watch(connection) else { return nil }
        (self.connection, self.store, self.live, self.watcher, self.clock) = (connection, store, live, watcher, clock)
        end = clock.steady().microseconds + Self.longest.wholeMicroseconds
    }

    /// The current state of a connection.
    static func text(of connection: ConnectionID, in store: any PlugStore, _ live: LiveRuns) async throws -> LiveText {
        let progress = live.progress(of: connection)
        return LiveText(
            progress,
            last: progress == nil ? try await store.runs(of: connection, limit: 1).first : nil,
            isLeased: progress == nil ? try await store.isLeased(connection) : true
        )
    }

    /// The next piece; `nil` if the browser is to reconnect, or the host is shutting down.
    func next() async -> [UInt8]? {
        guard clock.steady().microseconds < end, !Task.isShuttingDownGracefully, !Task.isCancelled else { return nil }
        let last = sent.withLock { $0 }
        if last != nil, await !wait() { return nil }
        guard let text = try? await Self.text(of: connection, in: store, live) else { return nil }
        sent.withLock { $0 = text }
        if text == last { return Array(": nothing new\n\n".utf8) }
        var piece = text.state == last?.state ? "" : Self.event("state", text.state)
        piece += Self.event("run", text.html.text)
        return Array(piece.utf8)
    }

    /// Waits until there may be news.
    ///
    /// - Returns: Whether the host continues.
    private func wait() async -> Bool {
        await cancelWhenGracefulShutdown { [watcher, clock] in
            try? await clock.sleep(for: Self.pause)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await watcher.bell.wait() }
                group.addTask { try? await clock.timeout(after: Self.pulse) }
                await group.next()
                group.cancelAll()
            }
        }
        return !Task.isShuttingDownGracefully && !Task.isCancelled
    }

    /// One event; each line of it is a line of the protocol.
    private static func event(_ name: String, _ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }
        return "event: \(name)\n\(lines.joined())\n"
    }
}
