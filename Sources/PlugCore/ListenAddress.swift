/// Where a server listens: `127.0.0.1:8899`, `[::1]:0`, `localhost:80`.
package struct ListenAddress: Sendable, Equatable, CustomStringConvertible {
    /// A name or an address, without brackets.
    package let host: String
    /// The port; 0 takes any free one.
    package let port: Int

    /// An address made of its parts.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`; `nil` for anything else. An IPv6 address must be in brackets.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), 0...65535 ~= port
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        if host.isEmpty { return nil }
        self.init(host: String(host), port: port)
    }

    /// The text that `init` would read back.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether a host, without port and brackets, is a loopback name or address of this machine.
    package static func isLoopback(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The host of a `Host` header, without port and brackets.
    package static func host(ofHeader header: String) -> String {
        if header.hasPrefix("["), let end = header.firstIndex(of: "]") {
            return String(header[header.index(after: header.startIndex)..<end])
        }
        return String(header.prefix { $0 != ":" })
    }
}
