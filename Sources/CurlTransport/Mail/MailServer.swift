/// A mail server: `smtps://` speaks TLS from the first byte, `smtp://` changes to it (STARTTLS) before anything else.
package struct MailServer: Sendable, Equatable, CustomStringConvertible {
    /// `smtp` or `smtps`.
    package let scheme: String
    /// In lower case; an IPv6 address within brackets.
    package let host: String
    /// The port; where none is written, 465 for `smtps` and 587, where mail is handed in, for `smtp`.
    package let port: Int

    /// Reads `smtp(s)://HOST[:PORT]`; `nil` where it is not that.
    package init?(_ text: String) {
        guard let scheme = ["smtp", "smtps"].first(where: { text.lowercased().hasPrefix("\($0)://") }) else {
            return nil
        }
        let rest = text.dropFirst(scheme.count + 3)
        // The rules for hosts are those of the web.
        guard let url = try? HTTPURL("https://\(rest)"), url.path == "/", url.query == nil, !rest.contains("#") else {
            return nil
        }
        let authority = rest.split(separator: "/").first ?? ""
        let hasPort = url.port != 443 || authority.hasSuffix(":443")
        self.scheme = scheme
        host = url.host
        port = hasPort ? url.port : scheme == "smtps" ? 465 : 587
    }

    /// `host:port`.
    package var hostAndPort: String { "\(host):\(port)" }

    /// The whole address.
    package var description: String { "\(scheme)://\(hostAndPort)" }

    /// Whether the host is written as this machine. A name that only leads to it is not: whoever owns a name decides where it leads.
    package var isThisMachine: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }
}
