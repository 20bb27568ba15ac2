internal import PlugCore

/// Bytes of messages as text.
enum MailText {
    /// Decodes bytes in an encoding; if it is unnamed or unknown, as UTF-8 if they are valid, otherwise as Windows-1252.
    static func text(of bytes: [UInt8], charset: String?) -> String {
        guard let charset, charset.lowercased() != "utf-8", let known = Charset(charset) else { return guessed(bytes) }
        let transcoder = Transcoder(given: known)
        var text: [UInt8] = []
        do throws(DecodingFault) {
            var outcome: Result<Void, DecodingFault> = .success(())
            bytes.withUnsafeBytes { all in
                do throws(DecodingFault) { try transcoder.take(all) { text += $0 } } catch { outcome = .failure(error) }
            }
            try outcome.get()
            try transcoder.finish { text += $0 }
        } catch {
            // It is not valid text in that encoding, or in any.
            return guessed(bytes)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes the beginning of a text that was cut.
    static func beginning(of bytes: [UInt8], charset: String?) -> String {
        var text = text(of: withoutCutCharacter(bytes), charset: charset)
        if text.last == "\u{FFFD}" { text.removeLast() }
        return text
    }

    /// Bytes without a character of UTF-8 that was cut at their end: one broken byte would make all of them Windows-1252.
    static func withoutCutCharacter(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let end = Array(bytes.suffix(4))
        guard let first = end.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return Array(bytes) }
        let length =
            switch end[first] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        let present = end.count - first
        return Array(present < length ? bytes.dropLast(present) : bytes.dropLast(0))
    }

    /// Bytes without an escape of quoted-printable that was cut at their end.
    static func withoutCutEscape(_ text: [UInt8]) -> [UInt8] {
        guard let mark = text.suffix(2).firstIndex(of: 0x3D) else { return text }
        return Array(text[..<mark])
    }

    /// Text that does not state its encoding.
    static func guessed(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return text(of: bytes, charset: "windows-1252")
    }

    /// Decodes base64; foreign characters are skipped, and broken input ends it.
    static func base64(_ text: [UInt8]) -> [UInt8] {
        var letters: [UInt8] = []
        letters.reserveCapacity(text.count)
        for byte in text {
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F: letters.append(byte)
            default: continue
            }
        }
        if letters.count % 4 == 1 { letters.removeLast() }
        while letters.count % 4 != 0 { letters.append(0x3D) }
        return Base64.decoded(String(decoding: letters, as: UTF8.self)) ?? []
    }

    /// Decodes quoted-printable: `=C3=A9`, and a line that continues after `=`.
    static func quotedPrintable(_ text: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            if text[at] == 0x3D, at + 1 < text.count, text[at + 1] == 0x0A {
                at += 2
            } else {
                joined.append(text[at])
                at += 1
            }
        }
        return unescaped(joined, mark: 0x3D)
    }

    /// Replaces a mark and two hexadecimal digits with their byte.
    static func unescaped(_ text: [UInt8], mark: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var at = 0
        while at < text.count {
            if text[at] == mark, at + 2 < text.count, let high = digit(text[at + 1]), let low = digit(text[at + 2]) {
                bytes.append(high << 4 | low)
                at += 3
            } else {
                bytes.append(text[at])
                at += 1
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension String {
    /// Trims blanks, and other characters, at both ends.
    func mailTrimmed(_ others: String = "") -> String {
        var text = self[...]
        while let first = text.first, first.isWhitespace || others.contains(first) { text.removeFirst() }
        while let last = text.last, last.isWhitespace || others.contains(last) { text.removeLast() }
        return String(text)
    }
}
