internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// The text and JSON forms of connections.
enum ConnectionText {
    /// A connection and its state.
    static let list = ListForm<ListedConnection>(
        header: ["connection", "plug", "pda", "state", "code", "last run", "last success", "stuck", "waiting", "dead"],
        limits: [32, 20, 36, 10, 24, 12, 20, 6, 8, 8],
        columns: { listed in
            let brief = listed.brief
            return [
                brief.id.name, brief.plug, brief.pda, word(brief.state), brief.state.trouble?.why.code ?? "-",
                outcome(brief, isLeased: listed.isLeased), time(brief.lastSuccess), "\(brief.trouble?.runs ?? 0)",
                "\(brief.waiting.batches)", "\(brief.deadLetters)",
            ]
        },
        payload: { $0.brief.json }
    )

    /// A state in one word; `-` if no host runs it.
    private static func word(_ state: ConnectionState) -> String {
        switch state {
        case .troubled(let health, _): health.rawValue
        case .active: ConnectionSetup.Status.active.rawValue
        case .paused: ConnectionSetup.Status.paused.rawValue
        case .reconnect: ConnectionSetup.Status.reconnect.rawValue
        case .disabled: ConnectionSetup.Status.disabled.rawValue
        case .unscheduled: "-"
        }
    }

    /// Everything, on a line each.
    static func whole(_ summary: ConnectionSummary, isLeased: Bool) -> String {
        let brief = summary.brief
        let batches = brief.waiting.batches.counted("batch", "batches")
        let outbox =
            brief.waiting.batches == 0
            ? "empty" : "\(batches), \(HumanSize.text(brief.waiting.bytes)), since \(time(brief.waitingSince))"
        let lines = [
            ("plug", brief.plug), ("pda", brief.pda), ("made", time(brief.createdAt)),
            ("status", status(summary.setup)), ("health", health(brief.state)), ("account", account(summary.account)),
            (
                "last run",
                brief.lastRun.map { "\(outcome(brief, isLeased: isLeased)), began \(time($0.start.at))" } ?? "none"
            ),
            ("last success", time(brief.lastSuccess)), ("runs without progress", "\(brief.trouble?.runs ?? 0)"),
            ("outbox", outbox), ("dead letters", "\(brief.deadLetters)"),
        ]
        var text = "connection \(DisplayText.escaped(brief.id.name))\n"
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

    /// What keeps it from making progress.
    private static func health(_ state: ConnectionState) -> String {
        guard let (health, trouble) = state.trouble else { return "-" }
        let what = health == .failing ? "failing" : "waiting for its PDA or its service"
        return "\(what) since \(time(trouble.since)): \(trouble.code)"
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
    private static func outcome(_ brief: ConnectionBrief, isLeased: Bool) -> String {
        guard let run = brief.lastRun else { return "none" }
        return run.outcome ?? (isLeased ? "running" : "not ended")
    }
}
