internal import LosslessJSON

/// Text that is safe between tags and in quoted attributes.
enum HTML {
    static func escaped(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            // HTML has no other control characters; JSON escapes them before they come here.
            case 0x00...0x08, 0x0B...0x1F, 0x7F: bytes.append(contentsOf: "\u{FFFD}".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A JSON text, indented and coloured by spans; escaped. Direction and invisible characters are shown as `\u…`.
    static func json(_ text: String) -> String {
        guard let value = try? JSONValue(parsing: text, limits: .record) else { return escaped(text) }
        var html = ""
        append(value, indent: 0, to: &html)
        return html
    }

    private static func append(_ value: JSONValue, indent: Int, to html: inout String) {
        let margin = String(repeating: "  ", count: indent + 1)
        let closing = "\n" + String(repeating: "  ", count: indent)
        switch value {
        case .null: html += "<i>null</i>"
        case .bool(let bool): html += "<i>\(bool)</i>"
        case .number(let number): html += "<u>\(escaped(number.text))</u>"
        case .string(let string): html += "<q>\(quoted(string))</q>"
        case .array(let elements):
            if elements.isEmpty { return html += "[]" }
            html += "["
            for (at, element) in elements.enumerated() {
                html += (at > 0 ? ",\n" : "\n") + margin
                append(element, indent: indent + 1, to: &html)
            }
            html += closing + "]"
        case .object(let object):
            if object.count == 0 { return html += "{}" }
            html += "{"
            for (at, member) in object.members.enumerated() {
                html += (at > 0 ? ",\n" : "\n") + margin + "<b>\(quoted(member.key))</b>: "
                append(member.value, indent: indent + 1, to: &html)
            }
            html += closing + "}"
        }
    }

    private static func quoted(_ string: JSONString) -> String {
        var bytes: [UInt8] = []
        JSONText.appendQuoted(string.text, to: &bytes)
        var shown = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            // The joiners belong to ordinary writing (and to emoji) and turn nothing around.
            if scalar == "\u{200C}" || scalar == "\u{200D}" {
                shown.unicodeScalars.append(scalar)
                continue
            }
            switch scalar.properties.generalCategory {
            case .format, .control, .privateUse, .lineSeparator, .paragraphSeparator:
                shown += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return escaped(shown)
    }
}
