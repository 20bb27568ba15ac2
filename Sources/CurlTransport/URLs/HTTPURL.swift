/// A strict, absolute `http` or `https` URL in normal form: the only parser, whose output is dialled and sent.
///
/// Refused are: user names and passwords, control characters, backslashes, hosts beyond ASCII (write `xn--`), percent signs in
/// hosts, zones, IPv4 addresses in any spelling but four decimal numbers, empty labels, a trailing dot, port 0 and broken percent
/// codes. Fragments are dropped, dot segments removed, and default ports omitted.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case; an IPv6 address in its canonical form, in brackets.
    public let host: String
    /// The port, even if it is the scheme's default.
    public let port: Int
    /// Begins with `/`; percent-encoded.
    public let path: String
    /// The text after the `?`, percent-encoded; `nil` if there is none.
    public let query: String?

    init(scheme: String, host: String, port: Int, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
    }

    /// Parses an absolute URL.
    ///
    /// - Throws: `HTTPError` with `.invalidURL`, or `.schemeRefused` for a scheme other than http and https. Neither
    ///   repeats the text.
    public init(_ text: String) throws(HTTPError) {
        var parser = URLParser(text)
        self = try parser.absolute()
    }

    /// Whether the connection is encrypted.
    public var isSecure: Bool { scheme == "https" }

    /// `host:port`, always with the port: for messages and for `NetworkPolicy.trustedPDAs`.
    public var hostAndPort: String { "\(host):\(port)" }

    /// `scheme://host[:port]`, without a default port.
    public var origin: String {
        port == (isSecure ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// Everything but the query: for messages that may show a path.
    public var withoutQuery: String { origin + path }

    /// The address, if the host is written as one.
    public var address: IPAddress? { IPAddress(host) }

    /// The whole URL as it is sent.
    public var description: String { query.map { "\(origin)\(path)?\($0)" } ?? origin + path }

    /// The same URL with another query, which is used unchanged: percent-encode its parts first.
    public func with(query: String?) -> HTTPURL {
        HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    /// Resolves a reference found at a URL (RFC 3986, section 5): a `Location`, a next link.
    ///
    /// - Throws: `HTTPError` as `init` does. The target is untrusted: check its `host` or `origin`.
    public static func resolve(reference: String, against base: HTTPURL) throws(HTTPError) -> HTTPURL {
        var parser = URLParser(reference)
        return try parser.reference(against: base)
    }

    /// Encodes a text for one path segment, or for a name or value of a query: everything but the unreserved characters.
    public static func percentEncode(_ segment: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(segment.utf8.count)
        for byte in segment.utf8 {
            if URLCharacters.isUnreserved(byte) {
                bytes.append(byte)
            } else {
                URLCharacters.appendEncoded(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a name or value of a query: percent codes and, as in forms, `+` for a blank.
    public static func decoded(parameter: Substring) -> String {
        var output: [UInt8] = []
        var bytes = parameter.utf8[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(Substring(bytes.prefix(2))), radix: 16) {
                output.append(code)
                bytes = bytes.dropFirst(2)
            } else {
                output.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
