internal import LosslessJSON

/// What a STATE says is done, if its shape is one that programs share: for each stream a member of its records and the value that
/// they have reached.
///
/// `{"bookmarks": {"users": {"replication_key": "at", "replication_key_value": "2026-01-02"}}}` is the SDK's, `{"bookmarks":
/// {"users": {"at": "2026-01-02"}}}` the older one. A STATE of another shape is ignored here.
struct StateBookmarks {
    /// A member and the value up to which it is done.
    struct Bookmark {
        let member: [UInt8]
        let value: JSONValue
    }

    private(set) var streams: [String: [Bookmark]] = [:]
    /// More than this are ignored: programs keep one for each account in the same place.
    private static let most = 8

    init(_ state: JSONValue) {
        for (name, value) in state["bookmarks"]?.object?.members ?? [] {
            guard let object = value.object else { continue }
            var found: [Bookmark] = []
            if let key = object["replication_key"]?.stringText {
                if let value = object["replication_key_value"], Self.compares(value) {
                    found.append(Bookmark(member: Array(key.utf8), value: value))
                }
            } else {
                for (key, value) in object.members where Self.compares(value) {
                    found.append(Bookmark(member: Array(key.text.utf8), value: value))
                }
            }
            if !found.isEmpty, found.count <= Self.most { streams[name.text] = found }
        }
    }

    private static func compares(_ value: JSONValue) -> Bool {
        switch value {
        case .number, .string: true
        default: false
        }
    }

    /// Whether a value is certainly before another: numbers, and times as far as they are written in the same way.
    static func isBefore(_ value: JSONValue, _ other: JSONValue) -> Bool {
        switch (value, other) {
        case (.number(let left), .number(let right)): return left < right
        case (.string(let left), .string(let right)):
            let (left, right) = (Array(left.text.utf8), Array(right.text.utf8))
            // Up to the seconds: fractions and zones are written in many ways. A day is compared with a day.
            let length = 19
            if left.count >= length, right.count >= length, isTime(left), isTime(right) {
                return left[..<length].lexicographicallyPrecedes(right[..<length]) && left[10] == right[10]
            }
            guard left.count == 10, right.count == 10, isDay(left), isDay(right) else { return false }
            return left.lexicographicallyPrecedes(right)
        default: return false
        }
    }

    private static func isDay(_ text: [UInt8]) -> Bool {
        text.prefix(10).enumerated().allSatisfy { at, byte in
            at == 4 || at == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
        }
    }

    private static func isTime(_ text: [UInt8]) -> Bool {
        isDay(text) && text[13] == UInt8(ascii: ":") && text[16] == UInt8(ascii: ":")
            // Offsets other than UTC would be compared wrongly.
            && (text.last == UInt8(ascii: "Z") || text.suffix(6).elementsEqual("+00:00".utf8) || text.count == 19)
    }
}
