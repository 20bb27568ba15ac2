package import CurlTransport

extension HTTPURL {
    /// `host`, or `host:port` if the port is not the scheme's default: how people name a service.
    package var site: String { port == (isSecure ? 443 : 80) ? host : hostAndPort }
}
