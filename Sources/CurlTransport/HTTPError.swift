/// Why there is no response.
///
/// The message names only host and port: never a path, a query or a header.
public struct HTTPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong. A structure, so that codes can be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as text, for machines.
        public let description: String
        /// A code.
        public init(_ description: String) { self.description = description }

        /// The URL is malformed, or spelled to deceive.
        public static let invalidURL = Code("invalid_url")
        /// The method or a header field cannot be sent.
        public static let invalidRequest = Code("invalid_request")
        /// Not http or https, or http outside the allowed networks.
        public static let schemeRefused = Code("scheme_refused")
        /// Every address of the host is in a network that is not allowed.
        public static let addressRefused = Code("address_refused")
        /// The host leads to a service that gives out a machine's own credentials: never dialled, whatever the operator allows.
        public static let metadataRefused = Code("metadata_refused")
        /// The name has no address.
        public static let cannotResolve = Code("cannot_resolve")
        /// Nothing answers at the address.
        public static let cannotConnect = Code("cannot_connect")
        /// The TLS handshake failed or the certificate is not trusted.
        public static let tls = Code("tls")
        /// One of the timeouts has passed.
        public static let timedOut = Code("timed_out")
        /// The connection ended before a response began.
        public static let connectionLost = Code("connection_lost")
        /// The response was cut short.
        public static let truncated = Code("truncated")
        /// The body is larger than allowed.
        public static let tooLarge = Code("too_large")
        /// A large body could not be written to a disk, such as a full one. The host has done nothing wrong.
        public static let notKept = Code("not_kept")
        /// The body expands too much when decompressed.
        public static let growsTooMuch = Code("grows_too_much")
        /// The header is larger than allowed.
        public static let headerTooLarge = Code("header_too_large")
        /// The body's coding is broken or unknown, or there are several.
        public static let badEncoding = Code("bad_encoding")
        /// The response is not HTTP.
        public static let badResponse = Code("bad_response")
        /// Nothing was sent, because the host has failed too often recently. The message says until when.
        public static let circuitOpen = Code("circuit_open")
        /// Nothing was sent, because it is a retry and the host has had too many of those recently.
        public static let retriesSpent = Code("retries_spent")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// The transport was shut down.
        public static let shutDown = Code("shut_down")
        /// The system gave no memory for the request or its answer.
        public static let noMemory = Code("no_memory")
        /// A fault of this program.
        public static let `internal` = Code("internal")
    }

    /// What went wrong.
    public var code: Code
    /// What happened and where, in one sentence.
    public var message: String
    /// Whether the request may have reached the server. `false` only if it certainly has not.
    public var mayHaveArrived: Bool
    /// Whether a kept connection ended before the response, as when servers close idle ones: that says nothing about the host.
    public var lostKeptConnection = false
    /// libcurl's code; 0 if the transport itself refused.
    public var curlCode: Int32

    /// An error.
    public init(_ code: Code, _ message: String, mayHaveArrived: Bool = false, curlCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.mayHaveArrived = mayHaveArrived
        self.curlCode = curlCode
    }

    /// The message and the code.
    public var description: String { "\(message) (\(code))" }
}
