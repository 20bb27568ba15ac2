import LosslessJSON

/// Texts in which each byte of UTF-8 was taken for a character of its own, as in the exports of Meta: `Ã©` for `é`.
enum Mojibake {
    /// How deep values may be nested below the given one.
    private static let depth = 512

    /// A value with all its texts repaired, including keys of objects. A text that is not made of such bytes, or whose bytes are
    /// not UTF-8, is left unchanged: so correct text comes to no harm.
    static func repaired(_ value: JSONValue, _ level: Int = 0) -> JSONValue {
        guard level < depth else { return value }
        switch value {
        case .string(let string): return repaired(string.text).map { .text($0) } ?? value
        case .array(let elements): return .array(elements.map { repaired($0, level + 1) })
        case .object(let object):
            var members = JSONObject()
            for (key, member) in object.members {
                members[JSONString(repaired(key.text) ?? key.text)] = repaired(member, level + 1)
            }
            return .object(members)
        default: return value
        }
    }

    /// The intended text; `nil` for one that is correct.
    private static func repaired(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var isPlain = true
        for scalar in text.unicodeScalars {
            guard scalar.value <= 0xFF else { return nil }
            isPlain = isPlain && scalar.value < 0x80
            bytes.append(UInt8(scalar.value))
        }
        return isPlain ? nil : String(validating: bytes, as: UTF8.self)
    }
}
