internal import LosslessJSON
internal import PlugCore

/// JSON for people: a member a line, two spaces a level, keys in their order, as jq prints.
struct PrettyJSON {
    /// Whether control characters beyond JSON's own are escaped too, because a terminal would obey them.
    var isForTerminal = false

    /// The text, without a line break at the end.
    func text(_ value: JSONValue, isCompact: Bool = false) -> String {
        var bytes: [UInt8] = []
        if isCompact { value.write(to: &bytes) } else { write(value, level: 0, to: &bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        return isForTerminal ? Self.safe(text) : text
    }

    /// Line breaks and tabs stay; inside strings they are escaped by JSON itself.
    static func safe(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            let isLayout = scalar == "\n" || scalar == "\t"
            if isLayout { safe.unicodeScalars.append(scalar) } else { safe += DisplayText.escaped(String(scalar)) }
        }
        return safe
    }

    private func write(_ value: JSONValue, level: Int, to bytes: inout [UInt8]) {
        switch value {
        case .array(let elements) where !elements.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (at, element) in elements.enumerated() {
                newLine(level + 1, isFirst: at == 0, to: &bytes)
                write(element, level: level + 1, to: &bytes)
            }
            newLine(level, isFirst: true, to: &bytes)
            bytes.append(UInt8(ascii: "]"))
        case .object(let object) where object.count > 0:
            bytes.append(UInt8(ascii: "{"))
            for (at, member) in object.members.enumerated() {
                newLine(level + 1, isFirst: at == 0, to: &bytes)
                JSONText.appendQuoted(member.key.text, to: &bytes)
                bytes += Array(": ".utf8)
                write(member.value, level: level + 1, to: &bytes)
            }
            newLine(level, isFirst: true, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        default: value.write(to: &bytes)
        }
    }

    private func newLine(_ level: Int, isFirst: Bool, to bytes: inout [UInt8]) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\n"))
        bytes += Array(repeating: UInt8(ascii: " "), count: level * 2)
    }
}
