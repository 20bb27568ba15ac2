package import CurlTransport
package import PlugCore

/// The names under which a host answers, and the origin of its pages.
///
/// A page of another site can reach a host on a private address by a name of its own that resolves to it (DNS rebinding). So a
/// name counts only if no one else can own it: that of `public_url`, that of the listen address, loopback's if the host listens
/// there, and bare addresses if it listens on all.
package struct HostNames: Sendable {
    private let publicURL: HTTPURL?
    private let listen: ListenAddress

    /// The names of a host.
    package init(publicURL: HTTPURL?, listen: ListenAddress) {
        self.publicURL = publicURL
        self.listen = listen
    }

    /// Whether it is reached over TLS.
    package var isSecure: Bool { publicURL?.isSecure ?? false }

    /// Whether a `Host` header names this host.
    func isOurs(_ header: String) -> Bool {
        let host = ListenAddress.host(ofHeader: header).lowercased()
        if host.isEmpty || header.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "/") }) {
            return false
        }
        if let publicURL, host == Self.bare(publicURL.host) { return true }
        if host == listen.host.lowercased() { return true }
        let isEverywhere = listen.host == "0.0.0.0" || listen.host == "::"
        if listen.isLoopback || isEverywhere, ListenAddress.isLoopback(host) { return true }
        return isEverywhere && IPAddress(host) != nil
    }

    /// The origin of this host's pages for a request with its name: `https://…` or `http://…`, without a trailing slash.
    func origin(_ header: String) -> String {
        let host = ListenAddress.host(ofHeader: header).lowercased()
        if let publicURL, host == Self.bare(publicURL.host) { return publicURL.origin }
        return "http://\(header.lowercased())"
    }

    /// Whether logging in is allowed: anyone on a network can intercept what crosses it in clear text.
    func mayLogIn(_ header: String) -> Bool {
        isSecure || ListenAddress.isLoopback(ListenAddress.host(ofHeader: header))
    }

    private static func bare(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
