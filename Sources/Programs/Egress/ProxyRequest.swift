internal import Glibc

/// A program's request to the proxy: the head.
struct ProxyRequest: Equatable {
    /// Whether it requests a tunnel (`CONNECT`), in which the program itself speaks TLS with the host.
    var isTunnel: Bool
    /// The host as written; an IPv6 address in brackets.
    var host: String
    /// The port as written, or the default of http.
    var port: Int
    /// What is sent to the host in place of the head; empty for a tunnel.
    var forwarded: [UInt8]
    /// The bytes received after the head.
    var rest: [UInt8]
    /// How many bytes of a body follow the head; `nil` for a tunnel, whose bytes are the program's own affair. What comes after it would be
    /// another request, which nobody has looked at.
    var bodyLength: Int?

    /// The longest head that is read.
    static let limit = 32 << 10

    /// Reads a request.
    ///
    /// - Parameter bytes: The head, its empty line, and perhaps more.
    /// - Returns: `nil` if it is not a proxy request, to the letter: where parsers differ, the host could read another one.
    init?(_ bytes: [UInt8]) {
        guard let end = Self.end(of: bytes) else { return nil }
        rest = Array(bytes[end...])
        // Also makes the text what was received: bytes that are not UTF-8 would be replaced.
        guard let head = String(validating: bytes[..<(end - 4)], as: UTF8.self) else { return nil }
        var lines = head.components("\r\n")
        // A bare CR or LF ends a line for some servers.
        guard lines.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }) else { return nil }
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0", !words[1].contains("\t") else {
            return nil
        }
        if words[0] == "CONNECT" {
            guard let (host, port) = Self.place(words[1]), let port else { return nil }
            (isTunnel, self.host, self.port, forwarded) = (true, host, port, [])
            return
        }
        guard words[0].allSatisfy({ $0.isASCII && $0.isLetter }), words[1].hasPrefix("http://") else { return nil }
        let target = words[1].dropFirst(7)
        let authority = target.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // No user before the host: a different parser could go elsewhere.
        guard !authority.contains("@"), let (host, port) = Self.place(authority) else { return nil }
        let path = target.dropFirst(authority.count)
        let written = path.hasPrefix("/") ? String(path) : "/" + path
        var headers: [String] = []
        var length: Int?
        for line in lines {
            let name = line.prefix { $0 != ":" }.lowercased()
            // Folded lines, and names with spaces, are interpreted differently by different servers.
            guard name.utf8.count < line.utf8.count, !name.isEmpty,
                name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { return nil }
            // The connection is for one request; the first line determines its host.
            if ["connection", "proxy-connection", "proxy-authorization", "keep-alive", "host"].contains(name) {
                continue
            }
            // Where a body ends has to be known, and in one way only.
            if name == "transfer-encoding" { return nil }
            if name == "content-length" {
                let digits = line.dropFirst(name.utf8.count + 1).drop { $0 == " " }
                guard length == nil, !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let given = Int(digits)
                else { return nil }
                length = given
            }
            headers.append(String(line))
        }
        bodyLength = length ?? 0
        let first = "\(words[0]) \(written) \(words[2])"
        let text = ([first, "Host: \(authority)"] + headers + ["Connection: close", "", ""]).joined(separator: "\r\n")
        (isTunnel, self.host, self.port, forwarded) = (false, host, port ?? 80, Array(text.utf8))
    }

    /// Where the body begins; `nil` while the head is incomplete.
    static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for at in 0...(bytes.count - 4) where bytes[at] == 0x0D {
            if bytes[at + 1] == 0x0A, bytes[at + 2] == 0x0D, bytes[at + 3] == 0x0A { return at + 4 }
        }
        return nil
    }

    /// `host`, `host:port`, `[::1]:port`.
    private static func place(_ text: Substring) -> (host: String, port: Int?)? {
        let name: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            (name, rest) = (text[...end], text[text.index(after: end)...])
        } else {
            name = text.prefix { $0 != ":" }
            rest = text.dropFirst(name.count)
        }
        guard !name.isEmpty else { return nil }
        if rest.isEmpty { return (String(name), nil) }
        let digits = rest.dropFirst()
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits)
        else { return nil }
        return (String(name), port)
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.range(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

extension Substring {
    /// The first occurrence of a text; the standard library offers this only with regular expressions.
    fileprivate func range(of text: String) -> Range<Index>? {
        var at = startIndex
        while at < endIndex {
            if self[at...].utf8.starts(with: text.utf8) { return at..<utf8.index(at, offsetBy: text.utf8.count) }
            at = utf8.index(after: at)
        }
        return nil
    }
}
