package import CurlTransport

extension HTTPURL {
    /// `host`, or `host:port` where the port is not the scheme's own: as people call a service.
    package var site: String { port == (isSecure ? 443 : 80) ? host : hostAndPort }
}
