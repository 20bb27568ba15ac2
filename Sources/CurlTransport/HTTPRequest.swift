/// What a request is for. The two sides never share a connection, and each has its own allowed networks.
public enum NetworkSide: Sendable, Hashable, CaseIterable {
    /// Where records are read, tokens are got and links lead: untrusted addresses.
    case source
    /// The personal data account that records are delivered to.
    case pda
}

/// How long each part of a request may take.
public struct HTTPTimeouts: Sendable, Equatable {
    /// From the start to the established connection, its TLS included. 10 s.
    public var connect: Duration
    /// From the last byte that was sent to the first one of the answer. 30 s.
    public var firstByte: Duration
    /// For how long an answer may come more slowly than 128 bytes a second. 30 s.
    public var idle: Duration
    /// All of it. 300 s.
    public var total: Duration

    /// Time-outs, with the usual ones by default.
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

/// One request. Redirects are not followed: they are answers like others.
public struct HTTPRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// An absolute `http` or `https` URL; it is parsed by `HTTPURL`, and what that gives is what is sent.
    public var url: String { didSet { parsed = nil } }
    /// What `url` gives, where somebody has parsed it.
    private var parsed: HTTPURL?
    /// Header fields. `Host`, `Content-Length`, `Transfer-Encoding`, `Connection`, `Expect`, `Accept-Encoding` and
    /// their like belong to the transport and are refused here.
    public var headers: [HTTPHeader]
    /// The body, `nil` for none.
    public var body: [UInt8]?
    /// What it is for.
    public var side: NetworkSide
    /// How long it may take.
    public var timeouts: HTTPTimeouts
    /// The most bytes of an answer's body, decompressed. 64 MiB.
    public var bodyLimit: Int
    /// The most bytes of an answer's body as it was sent, where it is compressed. 8 MiB.
    public var wireLimit: Int
    /// How many times larger than sent a compressed body over 1 MiB may become. 100.
    public var ratioLimit: Int
    /// Whether the same request was sent before and failed, without being asked to come back.
    public var isRetry = false
    /// Whether each sending of it counts, as where a source limits its requests: then it is sent once, and nothing but the
    /// caller sends it again. Without this, libcurl repeats a read that a kept connection lost.
    public var isSentOnce = false
    /// Whether the connection ended under the same request before: then it goes over a new one, and over HTTP/1.1, because
    /// other connections that were kept may have ended as well, and a server may refuse the request over HTTP/2.
    public var needsNewConnection = false
    /// Whether a failure says nothing new of the host, because the request is there to find out what it fails at.
    public var isTrial = false
    /// Whether the answer gives tokens: nobody shows what stands in it.
    package var issuesSecrets = false
    /// Where the body of an answer that says 2xx goes if it is large; `nil` keeps every body in memory.
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

    /// What `url` gives. It is parsed once for all that the request passes through, and always: a URL that was put together of
    /// parts is looked at like any other text.
    package mutating func address() throws(HTTPError) -> HTTPURL {
        if let parsed { return parsed }
        let address = try HTTPURL(url)
        parsed = address
        return address
    }
}
