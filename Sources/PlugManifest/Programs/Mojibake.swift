import LosslessJSON

/// Texts in whose making each byte of UTF-8 was taken for a character of its own, as in the exports of Meta: `Ã©` for `é`.
enum Mojibake {
    /// How deep values may be nested below the one that is given.
    private static let depth = 512

    /// A value with all its texts read as what they were meant to be, also keys of objects. A text that is not made of such bytes, or
    /// whose bytes are no UTF-8, stays as it is: so it does no harm to what is right.
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

    /// The text that was meant; `nil` for one that is right.
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
