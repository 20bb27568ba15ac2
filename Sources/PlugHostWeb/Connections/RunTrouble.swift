internal import PlugStorage

/// The reason for a failure: what happened in plain words, and who can act.
///
/// Error messages are written for operators and plug authors. A person does not see them if only operators or authors can act:
/// they use terms that the person has never come across.
struct RunTrouble: Sendable {
    /// Who can act.
    enum Remedy: Sendable, Equatable {
        /// The person: they connect the account at the service again.
        case source
        /// The person: they log in at their PDA again.
        case pda
        /// No one needs to: it is retried.
        case time
        /// The operator of the host.
        case `operator`
    }

    /// The reader.
    enum Reader: Sendable, Equatable {
        /// The connection's owner.
        case person
        /// The operator of the host.
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
    /// A wrong or missing answer of the person.
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
    private static let ofTimeAtPDA = ConnectionHealth.codesOfPDA
    private static let ofOthers: Set<String> = [
        "state-locked", "token-busy", "run-yielded", "run-time-limit", "commit-stale",
    ]
    /// Errors that are the plug's or the service's fault, as far as the person is concerned.
    private static let ofPlug: Set<String> = [
        "records-do-not-fit", "records-failed", "records-missing", "map-failed", "children-failed", "children-gone",
        "token-unreadable", "login-unreadable", "source-refused", "graphql-errors", "all-dropped",
    ]
    private static let ofRecords: Set<String> = ["pda-refuses-records", "pda-refuses", "dead-letters-full"]
    private static let ofHost: Set<String> = [
        "client-missing", "client-refused", "token-address", "auth-address", "signing-key-unusable", "plug-not-served",
        "setup-missing", "setup-unreadable", "bad-base", "grant-address", "address-refused", "configuration-refused",
        "pda-address", "pda-path", "plug-needs-file", "program-not-found", "program-not-trusted",
    ]

    var remedy: Remedy {
        if Self.ofSource.contains(code) || Self.ofAnswers.contains(code) { return .source }
        if Self.ofPDA.contains(code) { return .pda }
        let passes = [Self.ofTime, Self.ofTimeAtPDA, Self.ofOthers, ["rate-limited"]].contains { $0.contains(code) }
        return passes ? .time : .operator
    }

    /// What happened.
    var what: String {
        // An operator needs to know what the service or the PDA said.
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

    /// What a person reads if only others can act.
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

    /// Whether the error's own message is of no use to its reader.
    var replacesMessage: Bool {
        remedy == .time
            || reader == .person && remedy == .operator
                && (Self.ofPlug.contains(code) || Self.ofRecords.contains(code) || Self.ofHost.contains(code))
    }
}
