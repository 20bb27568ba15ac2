public import PDAWire

/// Why a call of a PDA failed. It never holds a token, a query or a body.
public struct PDAError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A kind of failure; more may come, so switch with a default.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// Such as `not_authenticated`.
        public let description: String
        /// A code of one's own.
        public init(_ description: String) { self.description = description }

        /// The call cannot be made as it was given; nothing was sent.
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
        /// 400 with the exact cause of a record that is stored already.
        public static let duplicate = Code("duplicate")
        /// 413: more than 10 MiB.
        public static let tooLarge = Code("too_large")
        /// 429: too many requests.
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
        /// A status that means neither success nor an error.
        public static let unexpectedStatus = Code("unexpected_status")
    }

    /// The kind of failure.
    public var code: Code
    /// What happened, and where.
    public var message: String
    /// What to do, `nil` where nothing helps.
    public var advice: String?
    /// The status code, `nil` where nothing was answered.
    public var status: Int?
    /// What the PDA said, in either of its two forms.
    public var failure: PDAFailure?
    /// Whether the PDA may have done it although no answer came.
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

    /// The message, the code and the advice on one line.
    public var description: String { "\(message) (\(code))" + (advice.map { "; \($0)" } ?? "") }
}
