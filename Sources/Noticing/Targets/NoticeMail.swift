internal import PlugCore

/// A mail as defined by RFC 5322: plain text in UTF-8, and a header that is safe from injected lines.
struct NoticeMail {
    /// Bare addresses, which were checked when they were read.
    var from: String
    var to: [String]
    var subject: String
    var text: String
    /// The part of its id before the `@`; letters and digits.
    var id: String
    /// Microseconds since 1970.
    var at: Int64

    /// Header, an empty line, and the body, with CRLF line endings.
    var bytes: [UInt8] {
        let domain = from.split(separator: "@").last.map(String.init) ?? "localhost"
        let header = [
            "Date: \(date)",
            "From: plughost <\(from)>",
            "To: \(to.joined(separator: ",\r\n "))",
            "Subject: \(Self.encoded(subject))",
            "Message-ID: <\(id)@\(domain)>",
            // So that no out-of-office reply answers it (RFC 3834).
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            // No line is too long, and none begins with a dot.
            "Content-Transfer-Encoding: base64",
        ]
        let body = Array(text.replacing("\n", with: "\r\n").utf8)
        let lines = Self.pieces(body, of: 57).map { Base64.encoded($0) }
        return Array(((header + [""] + lines).joined(separator: "\r\n") + "\r\n").utf8)
    }

    private var date: String {
        let time = Timestamp(seconds: at / 1_000_000).rfc3339
        let months = MonthNames.short
        let parts = time.split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]), months.indices.contains(month - 1) else { return time }
        return "\(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) +0000"
    }

    /// A text as the value of a field: encoded words (RFC 2047) if it is more than a short line of ASCII.
    static func encoded(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && text.utf8.count <= 60 && !text.contains("=?")
        if isPlain { return text }
        // 33 bytes are 44 characters; with the delimiters and the field's name a line has at most 76. No encoded word ends inside
        // a character.
        var words: [[UInt8]] = [[]]
        for character in text.prefix(200) {
            let bytes = Array(String(character).utf8)
            for scalar in bytes.count > 33 ? character.unicodeScalars.map({ Array(String($0).utf8) }) : [bytes] {
                if words[words.count - 1].count + scalar.count > 33 { words.append([]) }
                words[words.count - 1] += scalar
            }
        }
        return words.map { "=?utf-8?B?\(Base64.encoded($0))?=" }.joined(separator: "\r\n ")
    }

    private static func pieces(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }
}
