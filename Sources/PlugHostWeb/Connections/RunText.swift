internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// What became of a run, for people.
struct RunText: Sendable {
    private let run: StoredRun
    private let report: JSONValue?
    private let isRunning: Bool

    /// - Parameter isRunning: Whether it runs just now. One that has no end was broken off else: its process has died.
    init(_ run: StoredRun, isRunning: Bool = false) {
        self.run = run
        self.isRunning = isRunning
        report = try? JSONValue(parsing: run.report)
    }

    /// How many new records came to the PDA.
    var delivered: Int { sum("delivered") + (report?["outbox"]?["drained"]?.number?.int64).map(Int.init).orZero }
    /// How many could not be delivered at all.
    var refused: Int { sum("dead_letters") }
    /// The error that ended it.
    var trouble: RunTrouble? {
        guard let error = report?["error"], let code = error["code"]?.stringText else { return nil }
        return RunTrouble(code: code, message: error["message"]?.stringText ?? code)
    }

    /// A row of the table of runs.
    var row: HTML {
        let (text, style) =
            switch run.outcome {
            case "done": ("Done", "good")
            case "partial": ("Partly done", "warn")
            case "failed": ("Failed", "bad")
            case "interrupted": ("Interrupted; goes on", "quiet")
            default:
                if run.endedAt != nil {
                    ("Ended", "quiet")
                } else {
                    isRunning ? ("Running", "quiet") : ("Broken off; goes on", "quiet")
                }
            }
        let what: HTML? = trouble.map { "<br><span class=\"quiet\">\($0.what)</span>" }
        let letters: HTML? =
            refused > 0 ? "<br><span class=\"warn\">\(Words.count(refused, "record")) refused</span>" : nil
        return """
            <tr><td>\(Words.time(run.start.at))</td><td><span class="\(style)">\(text)</span>\(what)</td>\
            <td>\(delivered)\(letters)</td></tr>
            """
    }

    private func sum(_ name: String) -> Int {
        (report?["streams"]?.object?.members ?? []).reduce(0) { sum, member in
            sum + (member.value[name]?.number?.int64).map(Int.init).orZero
        }
    }
}

extension Int? {
    fileprivate var orZero: Int { self ?? 0 }
}

/// Why a run failed: what happened in plain words, and who can do something.
struct RunTrouble: Sendable {
    /// Who can do something.
    enum Remedy: Sendable, Equatable {
        /// The person connects the account at the service again.
        case source
        /// The person logs in at their PDA again.
        case pda
        /// Nobody has to: it is tried again.
        case time
        /// Whoever runs the host.
        case `operator`
    }

    let code: String
    let message: String

    private static let ofSource: Set<String> = [
        "source-unauthorised", "token-refused", "login-refused", "consent-expired", "account-other", "grant-unreadable",
    ]
    private static let ofPDA: Set<String> = [
        "pda-token", "pda-login", "pda-forbidden", "token-missing", "token-expired", "token-idle", "token-empty",
        "token-malformed", "token-application", "token-issuer",
    ]
    private static let ofTime: Set<String> = [
        "source-unavailable", "source-unreachable", "source-circuit-open", "token-unavailable", "token-unreachable",
        "token-busy", "pda-unreachable", "pda-unavailable", "pda-busy", "pda-failing", "pda-unanswered", "pda-wait",
        "pda-circuit-open", "pda-no-answer", "pda-transport", "pda-retries-spent", "state-locked",
    ]

    var remedy: Remedy {
        if Self.ofSource.contains(code) { return .source }
        if Self.ofPDA.contains(code) { return .pda }
        return Self.ofTime.contains(code) ? .time : .operator
    }

    /// What happened.
    var what: String {
        switch remedy {
        case .source: "The service does not let the plug in any more."
        case .pda: "Your PDA does not let the plug in any more."
        case .time where code.hasPrefix("pda-"): "Your PDA could not be reached, or did not take records."
        case .time: "The service could not be reached, or did not answer as it should."
        case .operator: message.sentence
        }
    }

    /// What to do.
    var advice: String {
        switch remedy {
        case .source: "Connect the account again. Nothing is lost: it goes on where it stopped."
        case .pda: "Log in at your PDA again. Nothing is lost: it goes on where it stopped."
        case .time: "You need not do anything: it is tried again by itself, and nothing is lost."
        case .operator: "It is tried again by itself. If it stays so, tell whoever runs this host, with the code below."
        }
    }
}
