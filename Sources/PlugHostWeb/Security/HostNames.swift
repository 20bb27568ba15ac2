package import CurlTransport
package import PlugCore
internal import Synchronization

/// The names under which a host answers, and the origin of its pages.
///
/// A page of another site can reach a host on a private address by a name of its own that resolves to it (DNS rebinding). So a
/// name counts only if no one else can own it: that of `public_url`, that of the listen address, loopback's if the host listens
/// there, and bare addresses if it listens on all.
package struct HostNames: Sendable {
    private let publicURL: HTTPURL?
    private let listen: ListenAddress
    private let port: BoundPort

    /// The names of a host.
    package init(publicURL: HTTPURL?, listen: ListenAddress) {
        self.publicURL = publicURL
        self.listen = listen
        port = BoundPort(listen.port)
    }

    /// The host listens now: at a port of its own choice, if it was to take any.
    func listens(at url: String) { (try? HTTPURL(url)).map { port.note($0.port) } }

    /// Whether it is reached over TLS.
    package var isSecure: Bool { publicURL?.isSecure ?? false }

    /// Whether a `Host` header names this host: a name and perhaps a port, and nothing else.
    ///
    /// A proxy may leave out the port. If the host listens on all addresses, its port may be mapped to another one.
    func isOurs(_ header: String) -> Bool {
        // The same parser as for addresses that are dialled: it refuses users, spaces and ports that are none.
        guard let url = try? HTTPURL("http://\(header)"), url.path == "/", url.query == nil,
            url.description == "http://\(header.lowercased())/" || header.hasSuffix(":80")
        else { return false }
        let host = Self.bare(url.host)
        let port = header.hasSuffix(":\(url.port)") ? url.port : nil
        if let publicURL, host == Self.bare(publicURL.host) {
            return port == nil || port == publicURL.port || port == self.port.known
        }
        let isEverywhere = listen.host == "0.0.0.0" || listen.host == "::"
        if isEverywhere { return ListenAddress.isLoopback(host) || IPAddress(host) != nil }
        guard port == nil || self.port.known == 0 || port == self.port.known else { return false }
        return host == listen.host.lowercased() || listen.isLoopback && ListenAddress.isLoopback(host)
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

/// The port that a host listens on; 0 until one is chosen.
private final class BoundPort: Sendable {
    private let port: Mutex<Int>

    init(_ port: Int) { self.port = Mutex(port) }

    var known: Int { port.withLock { $0 } }

    func note(_ chosen: Int) { port.withLock { $0 = chosen } }
}
