/// A strict, absolute `http` or `https` URL in normal form: the only parser, whose output is dialled and sent.
///
/// Refused are: user names and passwords, control characters, backslashes, hosts beyond ASCII (write `xn--`), percent signs in
/// hosts, zones, IPv4 addresses in any spelling but four decimal numbers, empty labels, a trailing dot, port 0 and broken percent
/// codes. Fragments are dropped, dot segments removed, and default ports omitted.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    private let sharedOrigin: URLOrigin
    /// Begins with `/`; percent-encoded.
    public let path: String
    /// The text after the `?`, percent-encoded; `nil` if there is none.
    public let query: String?
    /// The whole URL as it is sent.
    public let description: String

    init(_ origin: URLOrigin, path: String, query: String?) {
        sharedOrigin = origin
        self.path = path
        self.query = query
        var text = origin.text
        text.reserveCapacity(text.utf8.count + path.utf8.count + (query.map { $0.utf8.count + 1 } ?? 0))
        text += path
        if let query {
            text += "?"
            text += query
        }
        description = text
    }

    /// Parses an absolute URL.
    ///
    /// - Throws: `HTTPError` with `.invalidURL`, or `.schemeRefused` for a scheme other than http and https. Neither
    ///   repeats the text.
    public init(_ text: String) throws(HTTPError) {
        var parser = URLParser(text)
        self = try parser.absolute()
    }

    /// The maximum length of a URL, in bytes.
    static let lengthLimit = 16_384

    /// `http` or `https`.
    public var scheme: String { sharedOrigin.scheme }

    /// In lower case; an IPv6 address in its canonical form, in brackets.
    public var host: String { sharedOrigin.host }

    /// The port, even if it is the scheme's default.
    public var port: Int { sharedOrigin.port }

    /// Whether the connection is encrypted.
    public var isSecure: Bool { sharedOrigin.isSecure }

    /// `host:port`, always with the port: for messages and for `NetworkPolicy.trustedPDAs`.
    public var hostAndPort: String { sharedOrigin.hostAndPort }

    /// `scheme://host[:port]`, without a default port.
    public var origin: String { sharedOrigin.text }

    /// Everything but the query: for messages that may show a path.
    public var withoutQuery: String { query == nil ? description : origin + path }

    /// The path and the query.
    var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The address, if the host is written as one.
    public var address: IPAddress? { sharedOrigin.address }

    /// Whether both are sent as the same text: it is in normal form.
    public static func == (left: HTTPURL, right: HTTPURL) -> Bool { left.description == right.description }

    /// Hashes that text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// The same URL with another query, which is used unchanged: percent-encode its parts first.
    public func with(query: String?) -> HTTPURL {
        HTTPURL(sharedOrigin, path: path, query: query)
    }

    /// The same place with another path and query, which are normalised and checked like those of a URL.
    ///
    /// - Parameter text: Begins with `/`.
    /// - Throws: `HTTPError` as `init` does.
    public func with(pathAndQuery text: String) throws(HTTPError) -> HTTPURL {
        var parser = URLParser(text)
        return try parser.path(at: sharedOrigin)
    }

    /// Resolves a reference found at a URL (RFC 3986, section 5): a `Location`, a next link.
    ///
    /// - Throws: `HTTPError` as `init` does. The target is untrusted: check its `host` or `origin`.
    public static func resolve(reference: String, against base: HTTPURL) throws(HTTPError) -> HTTPURL {
        var parser = URLParser(reference)
        return try parser.reference(against: base, at: base.sharedOrigin)
    }
}
