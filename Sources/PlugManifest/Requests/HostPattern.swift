/// A destination that a plug's requests may go to.
package enum HostPattern: Sendable {
    /// One host, in lower case; without a port, the default port of the request's scheme.
    case exact(host: String, port: Int?)
    /// Every host below a domain: `*.wikipedia.org` has the suffix `.wikipedia.org`.
    case wildcard(suffix: String, port: Int?)
    /// A host that the person configures: a template that is one `config` key of type `host`. Matches nothing itself; render it
    /// and read the text with `parse`.
    case template(Template)

    /// Reads `host`, `host:port`, `*.domain`, `[::1]:port`.
    ///
    /// - Returns: `nil` if the text is none of them, or has a scheme, a path or a user.
    package static func parse(_ text: String) -> HostPattern? {
        guard let (name, port) = split(text.lowercased()) else { return nil }
        if name.hasPrefix("*.") {
            let domain = String(name.dropFirst(2))
            return isDomain(domain) && domain.contains(".") ? .wildcard(suffix: "." + domain, port: port) : nil
        }
        if name.hasPrefix("[") {
            let address = name.dropFirst().dropLast()
            let isAddress = address.contains(":") && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
            return isAddress ? .exact(host: name, port: port) : nil
        }
        return isDomain(name) ? .exact(host: name, port: port) : nil
    }

    /// Whether a URL's host and port are covered; the comparison ignores case and one trailing dot.
    ///
    /// - Parameters:
    ///   - host: The host as written in the URL; IPv6 addresses in brackets.
    ///   - port: The URL's port, `nil` if it names none.
    ///   - scheme: `https` or `http`, for the default port.
    package func matches(host: String, port: Int?, scheme: String) -> Bool {
        let standard = scheme.lowercased() == "http" ? 80 : 443
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return switch self {
        case .exact(let own, let ownPort): own == name && (ownPort ?? standard) == (port ?? standard)
        case .wildcard(let suffix, let ownPort):
            name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count && (ownPort ?? standard) == (port ?? standard)
        case .template: false
        }
    }

    /// The text that `parse` would read back; for a template, its own text.
    package var text: String {
        switch self {
        case .exact(let host, let port): host + (port.map { ":\($0)" } ?? "")
        case .wildcard(let suffix, let port): "*" + suffix + (port.map { ":\($0)" } ?? "")
        case .template(let template): template.source
        }
    }

    private static func split(_ text: String) -> (name: String, port: Int?)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let rest = text[text.index(after: end)...]
            return withPort(String(text[...end]), rest)
        }
        guard let colon = text.firstIndex(of: ":") else { return (text, nil) }
        return withPort(String(text[..<colon]), text[colon...])
    }

    private static func withPort(_ name: String, _ rest: Substring) -> (name: String, port: Int?)? {
        if rest.isEmpty { return (name, nil) }
        let digits = rest.dropFirst()
        guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
            (1...65535).contains(port)
        else { return nil }
        return (name, port)
    }

    private static func isDomain(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253 else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
                && label.unicodeScalars.allSatisfy { $0 == "-" || $0 == "_" || $0.isASCIIWord }
        }
    }
}

extension Unicode.Scalar {
    /// Whether this is an ASCII letter or digit.
    var isASCIIWord: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self) }
}
