/// Why something failed: what happened in plain words, and who can do something.
///
/// Messages of errors are written for those who run a host and make plugs. A person reads none of them where only those can do
/// something: it would be in words that they have never heard.
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

    /// Who reads it.
    enum Reader: Sendable, Equatable {
        /// Whose connection it is.
        case person
        /// Who runs the host.
        case `operator`
    }

    let code: String
    private let message: String
    private let reader: Reader

    init(code: String, message: String, for reader: Reader) {
        (self.code, self.message, self.reader) = (code, message, reader)
    }

    private static let ofSource: Set<String> = [
        "source-unauthorised", "token-refused", "login-refused", "consent-expired", "account-other", "grant-unreadable",
        "connect-again", "connect-first",
    ]
    /// What the person has answered, or has not.
    private static let ofAnswers: Set<String> = [
        "config-missing", "config-unfit", "credential-missing", "credential-unreadable", "bad-username",
    ]
    private static let ofPDA: Set<String> = [
        "pda-token", "pda-login", "pda-forbidden", "token-missing", "token-expired", "token-idle", "token-empty",
        "token-malformed", "token-application", "token-issuer",
    ]
    private static let ofTime: Set<String> = [
        "source-unavailable", "source-unreachable", "source-circuit-open", "token-unavailable", "token-unreachable",
        "token-doubtful", "probe-budget",
    ]
    private static let ofTimeAtPDA: Set<String> = [
        "pda-unreachable", "pda-unavailable", "pda-busy", "pda-failing", "pda-unanswered", "pda-wait",
        "pda-circuit-open",
        "pda-no-answer", "pda-transport", "pda-retries-spent", "outbox-full",
    ]
    private static let ofOthers: Set<String> = [
        "state-locked", "token-busy", "run-yielded", "run-time-limit", "commit-stale",
    ]
    /// Errors that the plug or the service has to answer for, as far as the person is concerned.
    private static let ofPlug: Set<String> = [
        "records-do-not-fit", "records-failed", "records-missing", "map-failed", "children-failed", "children-gone",
        "token-unreadable", "login-unreadable", "source-refused", "graphql-errors", "all-dropped",
    ]
    private static let ofRecords: Set<String> = ["pda-refuses-records", "pda-refuses", "dead-letters-full"]
    private static let ofHost: Set<String> = [
        "client-missing", "client-refused", "token-address", "auth-address", "signing-key-unusable", "plug-not-served",
        "setup-missing", "setup-unreadable", "bad-base", "grant-address", "address-refused", "configuration-refused",
        "pda-address", "pda-path",
    ]

    var remedy: Remedy {
        if Self.ofSource.contains(code) || Self.ofAnswers.contains(code) { return .source }
        if Self.ofPDA.contains(code) { return .pda }
        let passes = [Self.ofTime, Self.ofTimeAtPDA, Self.ofOthers, ["rate-limited"]].contains { $0.contains(code) }
        return passes ? .time : .operator
    }

    /// What happened.
    var what: String {
        // Who runs the host has to know what the service or the PDA said.
        if reader == .operator { return message.sentence }
        return switch remedy {
        case .source where Self.ofAnswers.contains(code):
            "Something that the plug asks you for is missing or cannot be used."
        case .source: "The service no longer lets the plug in."
        case .pda: "Your PDA no longer lets the plug in."
        case .time where Self.ofTimeAtPDA.contains(code): "Your PDA could not be reached, or did not accept records."
        case .time where Self.ofOthers.contains(code): "It had to wait for others on this host."
        case .time where code == "rate-limited": "The service limits how often it can be asked."
        case .time: "The service could not be reached, or did not answer as it should."
        case .operator: plain
        }
    }

    /// What a person reads where only others can do something.
    private var plain: String {
        if Self.ofPlug.contains(code) || code.hasPrefix("page-") || code.hasPrefix("pages-") {
            return "The service sent something that the plug does not understand."
        }
        if Self.ofRecords.contains(code) { return "Some records could not be stored in your PDA." }
        if Self.ofHost.contains(code) { return "This host is not set up as the plug needs it." }
        return "Something went wrong that only whoever runs this host can look into."
    }

    /// What to do.
    var advice: String {
        if reader == .operator { return adviceForOperators }
        return switch remedy {
        case .source where Self.ofAnswers.contains(code): "Connect the account again, and check your answers."
        case .source: "Connect the account again. Nothing is lost: it continues where it stopped."
        case .pda: "Log in at your PDA again. Nothing is lost: it continues where it stopped."
        case .time: "You need not do anything: it is retried automatically, and nothing is lost."
        case .operator:
            "It is retried automatically. If the problem persists, tell whoever runs this host, and give them the code below."
        }
    }

    private var adviceForOperators: String {
        switch remedy {
        case .source:
            "Its person has to connect the account again, and sees that on their page. If this affects many people of one plug, "
                + "check the plug and its client first."
        case .pda: "Its person has to log in at their PDA again, and sees that on their page."
        case .time: "It is retried automatically, and nothing is lost."
        case .operator: "It is retried automatically. 'plughost explain \(code)' says what to do."
        }
    }

    /// Whether the message of the error itself is of no use to its reader.
    var replacesMessage: Bool {
        remedy == .time
            || reader == .person && remedy == .operator
                && (Self.ofPlug.contains(code) || Self.ofRecords.contains(code) || Self.ofHost.contains(code))
    }
}
