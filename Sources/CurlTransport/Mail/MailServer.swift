/// A mail server: `smtps://` uses TLS from the first byte, `smtp://` upgrades to it (STARTTLS) before anything else.
package struct MailServer: Sendable, Equatable, CustomStringConvertible {
    /// `smtp` or `smtps`.
    package let scheme: String
    /// In lower case; an IPv6 address in brackets.
    package let host: String
    /// The port; by default 465 for `smtps` and 587, the submission port, for `smtp`.
    package let port: Int

    /// Reads `smtp(s)://HOST[:PORT]`; `nil` for anything else.
    package init?(_ text: String) {
        guard let scheme = ["smtp", "smtps"].first(where: { text.lowercased().hasPrefix("\($0)://") }) else {
            return nil
        }
        let rest = text.dropFirst(scheme.count + 3)
        // Hosts follow the rules of web addresses.
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

    /// Whether the host names this machine. A name that only resolves to it does not: its owner decides where it leads.
    package var isThisMachine: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }
}
