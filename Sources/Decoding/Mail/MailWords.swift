/// The words of headers: `=?utf-8?Q?caf=C3=A9?=` (RFC 2047), and lists of addresses.
enum MailWords {
    /// The maximum number of addresses given for a header.
    private static let addressLimit = 1000

    /// A header with its encoded words decoded; blanks between two of them are dropped.
    static func decoded(_ text: String) -> String {
        guard text.contains("=?") else { return text }
        var result = ""
        var rest = text[...]
        var isBehindWord = false
        // The bytes of a character may be split across words of one encoding.
        var pending: (charset: String, bytes: [UInt8]) = ("", [])
        func flush() {
            result += MailText.text(of: pending.bytes, charset: pending.charset)
            pending.bytes = []
        }
        while let start = rest.firstRange(of: "=?") {
            let before = rest[..<start.lowerBound]
            let parts = rest[start.upperBound...].split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].hasPrefix("="), let bytes = bytes(parts[1], parts[2]) else {
                flush()
                result += before + "=?"
                isBehindWord = false
                rest = rest[start.upperBound...]
                continue
            }
            if !isBehindWord || !before.allSatisfy(\.isWhitespace) {
                flush()
                result += before
            }
            let charset = String(parts[0].prefix { $0 != "*" })
            if charset.lowercased() != pending.charset.lowercased() { flush() }
            pending.charset = charset
            pending.bytes += bytes
            isBehindWord = true
            rest = parts[3].dropFirst()
        }
        flush()
        return result + rest
    }

    private static func bytes(_ encoding: Substring, _ text: Substring) -> [UInt8]? {
        switch encoding {
        case "b", "B": MailText.base64(Array(text.utf8))
        case "q", "Q": MailText.unescaped(text.utf8.map { $0 == 0x5F ? 0x20 : $0 }, mark: 0x3D)
        default: nil
        }
    }

    /// The addresses in headers, each as written with its name: `Ada L <ada@example.org>`.
    static func addresses(_ headers: [String]) -> [String] {
        var found: [String] = []
        for header in headers {
            var (part, isQuoted, isEscaped, depth) = ("", false, false, 0)
            func end() {
                let address = decoded(part.mailTrimmed())
                if !address.isEmpty, found.count < addressLimit { found.append(address) }
                part = ""
            }
            for character in header {
                if character == "\"", !isEscaped { isQuoted.toggle() }
                isEscaped = character == "\\" && !isEscaped
                if !isQuoted, character == "(" || character == "<" { depth += 1 }
                if !isQuoted, character == ")" || character == ">" { depth = max(0, depth - 1) }
                if character == ",", !isQuoted, depth == 0 { end() } else { part.append(character) }
            }
            end()
        }
        return found
    }
}
