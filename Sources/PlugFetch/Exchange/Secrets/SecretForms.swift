import CurlTransport
import LosslessJSON
internal import PlugCore

/// The forms in which a service may repeat a secret.
package enum SecretForms {
    /// One such form.
    package struct Form: Sendable {
        /// What it is, for messages: `in base64`.
        package var name: String
        /// Its bytes.
        package var bytes: [UInt8]
        /// Whether the characters beside it hold the rest of the secret's bits.
        var isCutOff = false
    }

    /// Shorter secrets are not searched for in other encodings: encodings of short texts occur everywhere.
    package static let shortest = 6

    /// All forms of a secret, starting with the secret itself.
    package static func all(of secret: String) -> [Form] {
        let plain = plain(of: secret)
        guard secret.utf8.count >= shortest else { return plain }
        let addressed = addressed(secret)
        return plain + addressed + encoded(plain + addressed)
    }

    /// A text as UTF-8, as Latin-1, and as the result of a service confusing the two; also as quoted text in JSON or HTML. A form
    /// has `+` for a space, and a form-decoded `+` is a space.
    static func plain(of text: String) -> [Form] {
        let bytes = Array(text.utf8)
        var forms = [Form(name: "as it is", bytes: bytes)]
        if bytes.contains(where: { $0 >= 0x80 }) {
            let latin = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            if latin.count == text.unicodeScalars.count {
                forms.append(Form(name: "in Latin-1", bytes: latin))
                forms.append(
                    Form(
                        name: "in Latin-1 that was read as UTF-8",
                        bytes: Array(String(decoding: latin, as: UTF8.self).utf8)
                    )
                )
            }
            let misread = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            forms.append(Form(name: "in UTF-8 that was read as Latin-1", bytes: Array(misread.utf8)))
        }
        let escapes = [
            ("JSON-encoded", escapedForJSON(text)), ("JSON-encoded", escapedForJSON(text).replacing("/", with: "\\/")),
            ("JSON-encoded", escapedToASCII(text)), ("HTML-encoded", escapedForHTML(text)),
        ]
        for (name, escaped) in escapes where !forms.contains(where: { $0.bytes == Array(escaped.utf8) }) {
            forms.append(Form(name: name, bytes: Array(escaped.utf8)))
        }
        let (blank, plus) = (UInt8(ascii: " "), UInt8(ascii: "+"))
        return forms
            + [(blank, plus), (plus, blank)].flatMap { from, to in
                forms.filter { $0.bytes.contains(from) }.map { form in
                    Form(name: form.name, bytes: form.bytes.map { $0 == from ? to : $0 })
                }
            }
    }

    /// Its forms in addresses and form bodies.
    private static func addressed(_ text: String) -> [Form] {
        [("url-encoded", PercentEncoding.segment(text)), ("form-encoded", FormText.encode(text))]
            .filter { $0.1 != text }.map { Form(name: $0.0, bytes: Array($0.1.utf8)) }
    }

    /// Forms in hexadecimal digits and in base64.
    private static func encoded(_ plain: [Form]) -> [Form] {
        var forms: [Form] = []
        for form in plain {
            let digits = Hexadecimal.encoded(form.bytes)
            for digits in [digits, digits.uppercased()] {
                forms.append(Form(name: "in hexadecimal digits", bytes: Array(digits.utf8)))
            }
            for once in base64(form.bytes) {
                forms.append(Form(name: "in base64", bytes: once, isCutOff: true))
                for twice in base64(once) {
                    forms.append(Form(name: "in base64, twice", bytes: twice, isCutOff: true))
                }
            }
        }
        return forms
    }

    /// The base64 of bytes at any offset within others: the part of it that does not depend on those, in both alphabets, and as
    /// JSON may escape it.
    private static func base64(_ bytes: [UInt8]) -> [[UInt8]] {
        (0..<3).flatMap { shift -> [[UInt8]] in
            let encoded = Array(Base64.encoded([UInt8](repeating: 0, count: shift) + bytes).utf8)
            let end = (shift + bytes.count) * 8 / 6
            let start = shift == 0 ? 0 : shift + 1
            guard end - start >= 8 else { return [] }
            let part = Array(encoded[start..<end])
            let (plus, slash) = (UInt8(ascii: "+"), UInt8(ascii: "/"))
            let other = part.map { $0 == plus ? UInt8(ascii: "-") : $0 == slash ? UInt8(ascii: "_") : $0 }
            let escaped = part.flatMap { $0 == slash ? [UInt8(ascii: "\\"), slash] : [$0] }
            return part == other ? [part] : escaped == part ? [part, other] : [part, other, escaped]
        }
    }

    private static func escapedForJSON(_ text: String) -> String {
        String(JSONValue.text(text).compactText.dropFirst().dropLast())
    }

    private static func escapedToASCII(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").utf16
            .map { unit in
                unit < 0x80
                    ? String(Unicode.Scalar(UInt8(unit)))
                    : "\\u" + Hexadecimal.encoded([UInt8(unit >> 8), UInt8(unit & 0xFF)])
            }
            .joined()
    }

    private static func escapedForHTML(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    // MARK: - Decoding

    /// A text with the escapes of JSON strings decoded, and where each byte begins in the text, with its end.
    static func unescaped(_ bytes: [UInt8]) -> (bytes: [UInt8], starts: [Int]) {
        var plain: [UInt8] = []
        var starts: [Int] = []
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "\\"), let (character, length) = escape(bytes, at) else {
                plain.append(bytes[at])
                starts.append(at)
                at += 1
                continue
            }
            plain += character
            starts += Array(repeating: at, count: character.count)
            at += length
        }
        return (plain, starts + [bytes.count])
    }

    /// What the escape at an offset stands for, and its length; `nil` if there is none. Unpaired surrogates are kept.
    private static func escape(_ bytes: [UInt8], _ at: Int) -> (character: [UInt8], length: Int)? {
        guard at + 1 < bytes.count else { return nil }
        if ["\"", "\\", "/"].contains(Character(Unicode.Scalar(bytes[at + 1]))) { return ([bytes[at + 1]], 2) }
        guard bytes[at + 1] == UInt8(ascii: "u"), at + 5 < bytes.count else { return nil }
        let digits = bytes[(at + 2)...(at + 5)].compactMap(Hexadecimal.value)
        guard digits.count == 4, let scalar = Unicode.Scalar(digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1) }) else {
            return nil
        }
        return (Array(String(Character(scalar)).utf8), 6)
    }
}
