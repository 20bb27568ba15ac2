package import CurlTransport
package import PlugCore

/// The names under which a host answers, and where its pages are.
///
/// A page of another site reaches a host on a private address by a name of its own that leads there (DNS rebinding). So a
/// name counts only if nobody else can own it: that of `public_url`, that of the listen address, loopback's where the host
/// listens there, and bare addresses where it listens on all.
package struct HostNames: Sendable {
    private let publicURL: HTTPURL?
    private let listen: ListenAddress

    /// The names of a host.
    package init(publicURL: HTTPURL?, listen: ListenAddress) {
        self.publicURL = publicURL
        self.listen = listen
    }

    /// Whether others reach it over TLS.
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

    /// Where a request that names this host has its pages: `https://…` or `http://…`, without a slash at its end.
    func origin(_ header: String) -> String {
        let host = ListenAddress.host(ofHeader: header).lowercased()
        if let publicURL, host == Self.bare(publicURL.host) { return publicURL.origin }
        return "http://\(header.lowercased())"
    }

    /// Whether people may log in: what is sent in clear over a network anybody on it can take.
    func mayLogIn(_ header: String) -> Bool {
        isSecure || ListenAddress.isLoopback(ListenAddress.host(ofHeader: header))
    }

    private static func bare(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
