/// What a request is for. The two sides never share a connection, and each has its own allowed networks.
public enum NetworkSide: Sendable, Hashable, CaseIterable {
    /// Where records are read, tokens are obtained and links lead: untrusted addresses.
    case source
    /// The personal data account that records are delivered to.
    case pda
}

/// How long each part of a request may take.
public struct HTTPTimeouts: Sendable, Equatable {
    /// From the start until the connection is established, TLS included. 10 s.
    public var connect: Duration
    /// From the last byte sent to the first byte of the response. 30 s.
    public var firstByte: Duration
    /// How long a response may arrive more slowly than 128 bytes a second. 30 s.
    public var idle: Duration
    /// The whole request. 300 s.
    public var total: Duration

    /// Timeouts, with the usual values by default.
    public init(
        connect: Duration = .seconds(10),
        firstByte: Duration = .seconds(30),
        idle: Duration = .seconds(30),
        total: Duration = .seconds(300)
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }
}

/// One request. Redirects are not followed: they are returned like other responses.
public struct HTTPRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// An absolute `http` or `https` URL. It is parsed by `HTTPURL`, and the parsed form is what is sent.
    public var url: String { didSet { parsed = nil } }
    /// The parsed `url`, once it has been parsed.
    private var parsed: HTTPURL?
    /// Header fields. `Host`, `Content-Length`, `Transfer-Encoding`, `Connection`, `Expect`, `Accept-Encoding` and similar belong
    /// to the transport and are refused here.
    public var headers: [HTTPHeader]
    /// The body, `nil` for none.
    public var body: [UInt8]?
    /// What the request is for.
    public var side: NetworkSide
    /// How long it may take.
    public var timeouts: HTTPTimeouts
    /// The largest response body, in bytes after decompression. 64 MiB.
    public var bodyLimit: Int
    /// The largest compressed response body, in bytes as sent. 8 MiB.
    public var wireLimit: Int
    /// The largest expansion ratio of a compressed body over 1 MiB. 100.
    public var ratioLimit: Int
    /// Whether the same request was sent before and failed, without the server having asked for a retry.
    public var isRetry = false
    /// Whether every attempt counts, for instance because the source limits requests: it is then sent once, and only the caller
    /// sends it again. Otherwise libcurl repeats a read when a kept connection is lost.
    public var isSentOnce = false
    /// Whether the connection ended during an earlier attempt: the request then uses a new connection and HTTP/1.1, because other
    /// kept connections may have ended too, and a server may refuse the request over HTTP/2.
    public var needsNewConnection = false
    /// Whether a failure says nothing new about the host, because the request is there to find out what it fails at.
    public var isTrial = false
    /// Whose kept connections it may use; `nil` for a connection of its own, which is closed afterwards.
    package var connections: ConnectionGroup?
    /// Whether the response contains tokens: its content is then never shown.
    package var issuesSecrets = false
    /// Where a large body of a 2xx response goes; `nil` keeps every body in memory.
    package var spooling: HTTPSpooling?

    /// A request.
    public init(
        method: String = "GET",
        url: String,
        headers: [HTTPHeader] = [],
        body: [UInt8]? = nil,
        side: NetworkSide,
        timeouts: HTTPTimeouts = HTTPTimeouts(),
        bodyLimit: Int = 64 << 20,
        wireLimit: Int = 8 << 20,
        ratioLimit: Int = 100
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.side = side
        self.timeouts = timeouts
        self.bodyLimit = bodyLimit
        self.wireLimit = wireLimit
        self.ratioLimit = ratioLimit
    }

    /// A request to a URL that has been parsed.
    package init(to url: HTTPURL, side: NetworkSide) {
        self.init(url: url.description, side: side)
        // One that its query has made too long is parsed again, and refused.
        if self.url.utf8.count <= HTTPURL.lengthLimit { parsed = url }
    }

    /// The parsed `url`, parsed once for every layer that the request passes through.
    package mutating func address() throws(HTTPError) -> HTTPURL {
        if let parsed { return parsed }
        let address = try HTTPURL(url)
        parsed = address
        return address
    }
}
