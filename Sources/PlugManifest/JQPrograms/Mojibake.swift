import LosslessJSON

/// Texts in which each byte of UTF-8 was taken for a character of its own, as in the exports of Meta: `Ã©` for `é`.
enum Mojibake {
    /// How deep values may be nested below the given one.
    private static let depth = 512

    /// A value with all its texts repaired, including keys of objects. Only characters that together are the bytes of one are
    /// replaced: so correct text comes to no harm, and neither a cut character nor correct ones keep the rest from being repaired.
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
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        var repaired = String.UnicodeScalarView()
        var bytes: [UInt8] = []
        var isChanged = false
        for scalar in text.unicodeScalars {
            if let byte = UInt8(exactly: scalar.value) {
                bytes.append(byte)
                continue
            }
            isChanged = append(bytes, to: &repaired) || isChanged
            bytes.removeAll(keepingCapacity: true)
            repaired.append(scalar)
        }
        isChanged = append(bytes, to: &repaired) || isChanged
        return isChanged ? String(repaired) : nil
    }

    /// Appends bytes as UTF-8, and those that are not UTF-8 as the characters they were.
    ///
    /// - Returns: Whether any of them made a character beyond ASCII.
    private static func append(_ bytes: [UInt8], to text: inout String.UnicodeScalarView) -> Bool {
        var isChanged = false
        var at = 0
        while at < bytes.count {
            let length = bytes[at] >= 0xF0 ? 4 : bytes[at] >= 0xE0 ? 3 : bytes[at] >= 0xC2 ? 2 : 1
            let end = min(at + length, bytes.count)
            if length > 1, let character = String(validating: bytes[at..<end], as: UTF8.self) {
                text.append(contentsOf: character.unicodeScalars)
                isChanged = true
                at = end
            } else {
                text.append(Unicode.Scalar(bytes[at]))
                at += 1
            }
        }
        return isChanged
    }
}
