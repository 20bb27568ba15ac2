internal import HostConfiguration
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// The checks of the state.
struct StateChecks: Sendable {
    /// Whether it can be read.
    var state: CheckResult
    /// Whether the key opens it.
    var key: CheckResult
    /// The status of its connections.
    var connections: CheckResult
    /// The outcomes of their runs.
    var runs: CheckResult
    /// Whether notices reach their targets.
    var notices: CheckResult
    /// The plugs that have connections.
    var plugs: Set<String> = []
    /// Some PDAs of connections.
    var pdas: [String] = []

    /// The number of connections searched for plugs and PDAs.
    private static let looked = 1_000
    private static let pdaLimit = 10

    static func look(_ settings: HostSettings, _ context: CommandContext) async -> StateChecks {
        let folder = settings.state.value
        guard Files.exists("\(folder)/plughost.db") || Files.exists("\(folder)/lock") else {
            let none = "there is no state in \(folder) yet: the first run makes it"
            return StateChecks(
                state: .ok("state", none),
                key: .skipped("key", "the key is created together with the state"),
                connections: .skipped("connections", "there is no state"),
                runs: .skipped("runs", "there is no state"),
                notices: .skipped("notices", "there is no state")
            )
        }
        do {
            let store = try await SQLiteStore.open(
                folder: folder,
                access: .read,
                keyFile: context.environment["PLUGHOST_KEY_FILE"],
                clock: context.clock
            )
            return try await lend(store, closing: { await $0.close() }) {
                try await look($0, settings, now: context.clock.now())
            }
        } catch {
            let error = StoreErrors.plugError(error)
            let isKey = error.code.text.hasPrefix("key-")
            let failure = CheckResult.failure(isKey ? "key" : "state", error.message, cure: error.advice)
            return StateChecks(
                state: isKey ? .ok("state", "\(folder)/plughost.db is there") : failure,
                key: isKey ? failure : .skipped("key", "the state must be readable first"),
                connections: .skipped("connections", "the state cannot be opened"),
                runs: .skipped("runs", "the state cannot be opened"),
                notices: .skipped("notices", "the state cannot be opened")
            )
        }
    }

    private static func look(_ store: SQLiteStore, _ settings: HostSettings, now: Int64) async throws -> StateChecks {
        let folder = settings.state.value
        let counts = try await store.connectionCounts()
        let total = counts.reduce(0) { $0 + $1.connections }
        var checks = StateChecks(
            state: .ok(
                "state",
                "\(folder), with \(total.counted("connection")); 'plughost state check' reads all of it"
            ),
            key: .ok("key", "\(store.keyFile ?? "it") opens it; keep a copy in another place"),
            connections: try await connections(counts, total, store),
            runs: try await RunChecks.look(store, now: now),
            notices: try await notices(settings, store)
        )
        checks.plugs = Set(counts.filter { $0.connections > 0 }.map(\.plug))
        let found = try await store.connections(ConnectionSearch(limit: looked)).connections
        for connection in found where checks.pdas.count < pdaLimit && !checks.pdas.contains(connection.pda) {
            checks.pdas.append(connection.pda)
        }
        return checks
    }

    private static func notices(_ settings: HostSettings, _ store: SQLiteStore) async throws -> CheckResult {
        let name = "notices"
        let targets = settings.notify.map(\.value.name)
        if targets.isEmpty { return .ok(name, "nobody is told when someone must act: 'notify' has no target") }
        let waiting = try await store.noticeQueues().filter { targets.contains($0.target) && $0.failure != nil }
        let told = "those of \(targets.joined(separator: ", ")) are told when someone must act"
        guard !waiting.isEmpty else { return .ok(name, told) }
        let texts = waiting.map { queue in
            let notices = queue.count.counted("notice waits", "notices wait")
            return "\(notices) for \(queue.target) since \(ConnectionText.time(queue.since)): \(queue.failure ?? "")"
        }
        return .warning(name, texts.joined(separator: "; "), cure: "plughost notify test")
    }

    private static func connections(
        _ counts: [ConnectionCount],
        _ total: Int,
        _ store: SQLiteStore
    ) async throws -> CheckResult {
        func count(_ status: ConnectionSetup.Status) -> Int {
            counts.filter { $0.status == status }.reduce(0) { $0 + $1.connections }
        }
        let waiting = try await store.outboxHours().reduce(0) { $0 + $1.size.batches }
        let letters = try await store.deadLetterSize(of: nil).letters
        var parts = ["\(total)"]
        var cures: [String] = []
        if count(.reconnect) > 0 {
            parts.append("waiting until their person connects again: \(count(.reconnect))")
            cures.append(
                "their people see it on their page; 'plughost connection list' names them; if this machine's clock was wrong when "
                    + "this happened, 'plughost connection resume --reconnect' tries them again"
            )
        }
        if count(.disabled) > 0 { parts.append("disabled by their PDA: \(count(.disabled))") }
        if waiting > 0 {
            parts.append("batches that wait for their PDA: \(waiting)")
            cures.append("plughost outbox list")
        }
        if letters > 0 {
            parts.append("records refused for good: \(letters)")
            cures.append("plughost deadletters list")
        }
        let text = parts.joined(separator: "; ")
        return cures.isEmpty
            ? .ok("connections", text) : .warning("connections", text, cure: cures.joined(separator: "; "))
    }
}
