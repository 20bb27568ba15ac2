internal import LosslessJSON

/// Finds a value in a record's stored text without building anything: the text is compact, valid JSON written by this sandbox,
/// each key once and quoted in a single way.
struct StoredJSONPath: Sendable {
    /// Each part as a quoted key, and as an index if it is a number.
    private let parts: [(key: [UInt8], index: Int?)]

    init(_ path: [String]) {
        parts = path.map { part in
            var key: [UInt8] = []
            JSONText.appendQuoted(part, to: &key)
            return (key, Int(part))
        }
    }

    /// The range of the value at the path, `nil` if there is none.
    func range(in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var scanner = StoredJSONScanner(text: text)
        for part in parts {
            switch scanner.byte {
            case UInt8(ascii: "{"): if !scanner.enter(member: part.key) { return nil }
            case UInt8(ascii: "["): guard let index = part.index, scanner.enter(element: index) else { return nil }
            default: return nil
            }
        }
        let start = scanner.at
        scanner.skipValue()
        return start..<scanner.at
    }
}

private struct StoredJSONScanner {
    let text: UnsafeBufferPointer<UInt8>
    var at = 0

    /// The current byte; past the end zero, which JSON never has outside of texts.
    var byte: UInt8 { at < text.count ? text[at] : 0 }

    /// Moves to a member's value, from the object's brace.
    mutating func enter(member key: [UInt8]) -> Bool {
        at += 1
        while byte == UInt8(ascii: "\"") {
            let start = at
            skipText()
            let isIt = at - start == key.count && key.indices.allSatisfy { text[start + $0] == key[$0] }
            at += 1
            if isIt { return true }
            skipValue()
            guard byte == UInt8(ascii: ",") else { return false }
            at += 1
        }
        return false
    }

    /// Moves to an element, from the array's bracket; a negative index counts from the end.
    mutating func enter(element index: Int) -> Bool {
        let start = at
        let wanted = index < 0 ? count() + index : index
        guard wanted >= 0 else { return false }
        at = start + 1
        var number = 0
        while byte != UInt8(ascii: "]"), byte != 0 {
            if number == wanted { return true }
            skipValue()
            number += 1
            if byte == UInt8(ascii: ",") { at += 1 }
        }
        return false
    }

    private mutating func count() -> Int {
        at += 1
        var number = 0
        while byte != UInt8(ascii: "]"), byte != 0 {
            skipValue()
            number += 1
            if byte == UInt8(ascii: ",") { at += 1 }
        }
        return number
    }

    mutating func skipText() {
        at += 1
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\\"): at += 2
            case UInt8(ascii: "\""):
                at += 1
                return
            default: at += 1
            }
        }
    }

    mutating func skipValue() {
        switch byte {
        case UInt8(ascii: "\""): skipText()
        case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
        default:
            while at < text.count, !Self.ends(text[at]) { at += 1 }
        }
    }

    private static func ends(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    private mutating func skipContainer() {
        var depth = 0
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\""):
                skipText()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 {
                    at += 1
                    return
                }
            default: break
            }
            at += 1
        }
    }
}
