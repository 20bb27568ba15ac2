internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// The text and JSON forms of connections.
enum ConnectionText {
    /// A connection and its status.
    static let list = ListForm<ConnectionSummary>(
        header: ["connection", "plug", "pda", "status", "last run", "last success", "stuck", "waiting", "dead"],
        limits: [32, 20, 36, 10, 12, 20, 6, 8, 8],
        columns: { summary in
            [
                summary.connection.id.name, summary.connection.plug, summary.connection.pda,
                summary.setup?.status.rawValue ?? "-", outcome(summary), time(summary.lastSuccess),
                "\(summary.runsWithoutProgress)", "\(summary.waiting.batches)",
                "\(summary.deadLetters.letters)",
            ]
        },
        payload: { $0.json }
    )

    /// Everything, on a line each.
    static func whole(_ summary: ConnectionSummary) -> String {
        let waiting = summary.waiting
        let batches = waiting.batches.counted("batch", "batches")
        let outbox =
            waiting.batches == 0
            ? "empty" : "\(batches), \(HumanSize.text(waiting.bytes)), since \(time(summary.waitingSince))"
        let lines = [
            ("plug", summary.connection.plug), ("pda", summary.connection.pda),
            ("made", time(summary.connection.createdAt)), ("status", status(summary.setup)),
            ("account", account(summary.account)),
            ("last run", summary.lastRun.map { "\(outcome(summary)), began \(time($0.start.at))" } ?? "none"),
            ("last success", time(summary.lastSuccess)), ("runs without progress", "\(summary.runsWithoutProgress)"),
            ("outbox", outbox), ("dead letters", "\(summary.deadLetters.letters)"),
        ]
        var text = "connection \(DisplayText.escaped(summary.connection.id.name))\n"
        for (name, value) in lines
            + summary.streams.map({ ("stream \($0.name)", $0.cursor.map { "up to \($0)" } ?? "-") })
        {
            let padding = String(repeating: " ", count: max(1, 23 - name.count))
            text += "  \(DisplayText.escaped(name))\(padding)\(DisplayText.escaped(value))\n"
        }
        return text
    }

    /// Whether a host runs it, and when it is next due.
    private static func status(_ setup: ConnectionSetup?) -> String {
        guard let setup else { return "run by commands only" }
        return switch setup.status {
        case .active: setup.dueAt.map { "active, due \(time($0))" } ?? "active"
        case .paused: "paused"
        case .reconnect: "not run until the person connects again"
        case .disabled: "not run: the PDA has disabled the plug"
        }
    }

    /// The account, its age and permissions, and whether anyone needs to act.
    private static func account(_ account: ConnectionAccount?) -> String {
        guard let account else { return "-" }
        var parts = [account.who ?? "name not known"]
        if let connected = account.connected {
            parts.append(account.isDead ? "no longer accepted: connect again" : "connected \(time(connected))")
            if !account.scopes.isEmpty { parts.append("granted: " + account.scopes.joined(separator: ", ")) }
            if !account.refreshes { parts.append(account.expires.map { "until \(time($0))" } ?? "no refresh token") }
        }
        return parts.joined(separator: "; ")
    }

    /// A time to the second, `-` for none.
    static func time(_ time: Int64?) -> String { time.map { Timestamp(seconds: $0 / 1_000_000).rfc3339 } ?? "-" }

    /// A run without an end is in progress, or its process has died.
    private static func outcome(_ summary: ConnectionSummary) -> String {
        guard let run = summary.lastRun else { return "none" }
        return run.outcome ?? (summary.isLeased ? "running" : "not ended")
    }
}
