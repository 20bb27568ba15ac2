public import PDAWire

/// Why a call to a PDA failed. It never contains a token, a query or a body.
public struct PDAError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A kind of failure; more may be added, so switch with a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as text, such as `not_authenticated`.
        public let description: String
        /// A custom code.
        public init(_ description: String) { self.description = description }

        /// The call is invalid as given; nothing was sent.
        public static let invalidRequest = Code("invalid_request")
        /// No answer: offline, no connection, a time-out.
        public static let transport = Code("transport")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// 401: the token is missing, wrong or too old.
        public static let notAuthenticated = Code("not_authenticated")
        /// 403: the token may not do this.
        public static let forbidden = Code("forbidden")
        /// 404.
        public static let notFound = Code("not_found")
        /// 404 "HAT unavailable" or 503: there is no PDA at this address, or it is busy.
        public static let unavailable = Code("unavailable")
        /// 400 with the exact cause of a record that is already stored.
        public static let duplicate = Code("duplicate")
        /// 413, 414, 431: more than 10 MiB, or a URL or header that is too long.
        public static let tooLarge = Code("too_large")
        /// 429, or the 400 that a PDA uses instead: too many requests.
        public static let tooManyRequests = Code("too_many_requests")
        /// Another status of 400–499.
        public static let refused = Code("refused")
        /// A status of 500–599.
        public static let server = Code("server")
        /// A 3xx with a `Location`: an API does not redirect.
        public static let redirected = Code("redirected")
        /// A page instead of JSON, as PDAs answer for GET paths that they do not know.
        public static let html = Code("html")
        /// A body that is not the JSON it should be.
        public static let notJSON = Code("not_json")
        /// A token that is not this PDA's, or that has expired; see `PDAPublicKey`.
        public static let invalidToken = Code("invalid_token")
        /// The owner declined, or the log-in page came back without a token.
        public static let notLoggedIn = Code("not_logged_in")
        /// An endpoint that cannot be read in pages; the message says why.
        public static let unstablePages = Code("unstable_pages")
        /// A status that means neither success nor an error.
        public static let unexpectedStatus = Code("unexpected_status")
    }

    /// What may help, for programs; `advice` says it in words.
    public struct Remedy: Sendable, Hashable, CustomStringConvertible {
        /// The remedy as text, such as `log_in`.
        public let description: String
        /// A custom remedy.
        public init(_ description: String) { self.description = description }

        /// Change the call: the same one will fail again.
        public static let changeCall = Remedy("change_call")
        /// Get a new token.
        public static let logIn = Remedy("log_in")
        /// Get a token with other roles, or have the application set up.
        public static let askOwner = Remedy("ask_owner")
        /// Wait, then make the same call again.
        public static let wait = Remedy("wait")
        /// Find out whether it was done before making the call again.
        public static let lookFirst = Remedy("look_first")
        /// Nothing: the desired state already exists.
        public static let nothing = Remedy("nothing")
    }

    /// The kind of failure.
    public var code: Code
    /// What happened, and where.
    public var message: String
    /// What to do, `nil` if nothing helps.
    public var advice: String?
    /// The status code, `nil` if there was no answer.
    public var status: Int?
    /// The PDA's own error, in either of its two forms, without tokens and passwords.
    public var failure: PDAFailure?
    /// Whether the PDA may have done it although the answer does not say so: no answer came, the answer of a changing
    /// call could not be read, or it was a 5xx. Check before you try again.
    public var mayHaveArrived: Bool

    /// A failure.
    public init(
        _ code: Code,
        _ message: String,
        advice: String? = nil,
        status: Int? = nil,
        failure: PDAFailure? = nil,
        mayHaveArrived: Bool = false
    ) {
        self.code = code
        self.message = message
        self.advice = advice
        self.status = status
        self.failure = failure
        self.mayHaveArrived = mayHaveArrived
    }

    /// What may help. Custom codes mean `changeCall`.
    public var remedy: Remedy {
        if mayHaveArrived { return .lookFirst }
        switch code {
        case .transport, .unavailable, .tooManyRequests, .server, .cancelled: return .wait
        case .notAuthenticated, .invalidToken: return .logIn
        case .forbidden: return .askOwner
        case .duplicate: return .nothing
        default: return .changeCall
        }
    }

    /// The message, the code and the advice on one line.
    public var description: String { "\(message) (\(code))" + (advice.map { "; \($0)" } ?? "") }
}
