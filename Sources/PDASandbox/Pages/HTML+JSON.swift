internal import LosslessJSON
internal import PlugCore

extension HTML {
    /// A JSON text, escaped, indented and coloured by spans. Direction marks and invisible characters are shown as `\u…`.
    static func json(_ text: String) -> HTML {
        guard let value = try? JSONValue(parsing: text, limits: .record) else { return .text(text) }
        var html: HTML = ""
        append(value, indent: 0, to: &html)
        return html
    }

    private static func append(_ value: JSONValue, indent: Int, to html: inout HTML) {
        let margin = HTML.text(String(repeating: "  ", count: indent + 1))
        let closing = HTML.text("\n" + String(repeating: "  ", count: indent))
        switch value {
        case .null: html += "<i>null</i>"
        case .bool(let bool): html += bool ? "<i>true</i>" : "<i>false</i>"
        case .number(let number): html += "<u>\(number.text)</u>"
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
            // The joiners belong to ordinary writing (and to emoji) and do not change the direction.
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
        return shown
    }
}
