/// A URL's scheme, host and port. All URLs derived from one share it, so its texts are made once.
final class URLOrigin: Sendable {
    let scheme: String
    /// In lower case; an IPv6 address in brackets.
    let host: String
    /// The host as an address, if it is written as one.
    let address: IPAddress?
    let port: Int
    /// `host:port`, always with the port.
    let hostAndPort: String
    /// `scheme://host[:port]`, without a default port.
    let text: String

    var isSecure: Bool { scheme == "https" }

    /// An origin that the parser has checked.
    ///
    /// - Parameter port: `nil` for the scheme's default.
    init(scheme: String, host: String, address: IPAddress?, port: Int?) {
        self.scheme = scheme
        self.host = host
        self.address = address
        let usual = scheme == "https" ? 443 : 80
        self.port = port ?? usual
        hostAndPort = host + ":" + String(self.port)
        text = scheme + "://" + (self.port == usual ? host : hostAndPort)
    }
}
