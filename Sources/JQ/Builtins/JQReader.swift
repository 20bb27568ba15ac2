import LosslessJSON

/// Reads a text as jq's own parser does, byte by byte: non-JSON that jq accepts as a number (`nan`, `.5`), and jq's words for
/// what is wrong. `fromjson` uses it when the fast reader refuses a text.
struct JQReader {
    /// What is wrong, and where: `Unmatched ']' at line 1, column 2`.
    struct Fault: Error {
        let message: String
    }

    /// An open container: an array's elements, or an object's members and the key that awaits its value.
    private struct Level {
        var elements = ValueArray([])
        var members: ValueObject?
        var key: JSONString?
    }

    private enum State { case normal, string, escape }

    private let text: [UInt8]
    private var at = 0
    private var line = 1
    private var column = 0
    private var state = State.normal
    /// The bytes of a literal, or of a string's content.
    private var token: [UInt8] = []
    private var levels: [Level] = []
    /// The number of open containers and pending keys, which is limited.
    private var waiting = 0
    private static let waitingLimit = 10_000
    /// The last value read, until it is known where it belongs.
    private var value: Value?

    private init(_ text: String) { self.text = Array(text.utf8) }

    /// The only value of a text.
    static func value(of text: String) throws(Fault) -> Value {
        var reader = JQReader(text)
        guard let value = try reader.next() else { throw Fault(message: "Expected JSON value") }
        if try reader.next() != nil { throw Fault(message: "Unexpected extra JSON values") }
        return value
    }

    /// The next value, `nil` at the end.
    private mutating func next() throws(Fault) -> Value? {
        while at < text.count {
            at += 1
            if let value = try scan(text[at - 1]) { return value }
        }
        if state != .normal { throw fault("Unfinished string at EOF") }
        try endLiteral(" at EOF")
        if waiting > 0 { throw fault("Unfinished JSON term at EOF") }
        return value.take()
    }

    private func fault(_ message: String) -> Fault { Fault(message: "\(message) at line \(line), column \(column)") }

    /// Processes one byte.
    ///
    /// - Returns: A value that is complete with this byte, or before it.
    private mutating func scan(_ byte: UInt8) throws(Fault) -> Value? {
        column += 1
        if byte == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) }
        guard state == .normal else {
            if state == .string, byte == UInt8(ascii: "\"") {
                try endString()
                state = .normal
                return finished()
            }
            token.append(byte)
            state = state == .string && byte == UInt8(ascii: "\\") ? .escape : .string
            return nil
        }
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            try endLiteral()
            return finished()
        case UInt8(ascii: "\""):
            try endLiteral()
            let value = finished()
            state = .string
            return value
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "]"),
            UInt8(ascii: "}"):
            try endLiteral()
            let value = finished()
            try mark(byte)
            return value ?? finished()
        default:
            token.append(byte)
            return nil
        }
    }

    /// The value at the top level, once it is complete.
    private mutating func finished() -> Value? { waiting == 0 ? value.take() : nil }

    private mutating func found(_ new: Value, _ place: String = "") throws(Fault) {
        if value != nil { throw fault("Expected separator between values" + place) }
        value = new
    }

    // MARK: Containers

    private mutating func mark(_ byte: UInt8) throws(Fault) {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if waiting >= Self.waitingLimit { throw fault("Exceeds depth limit for parsing") }
            if value != nil { throw fault("Expected separator between values") }
            levels.append(Level(members: byte == UInt8(ascii: "{") ? ValueObject() : nil))
            waiting += 1
        case UInt8(ascii: ":"): try endKey()
        case UInt8(ascii: ","):
            guard let value = value.take() else { throw fault("Expected value before ','") }
            guard let last = levels.indices.last else { throw fault("',' not as part of an object or array") }
            try add(value, to: last)
        case UInt8(ascii: "]"):
            guard let last = levels.indices.last, levels[last].members == nil else { throw fault("Unmatched ']'") }
            if let value = value.take() {
                try add(value, to: last)
            } else if !levels[last].elements.elements.isEmpty {
                throw fault("Expected another array element")
            }
            close()
        default:
            guard let last = levels.indices.last else { throw fault("Unmatched '}'") }
            if let value = value.take() {
                if levels[last].members == nil { throw fault("Objects must consist of key:value pairs") }
                try add(value, to: last)
            } else {
                guard let members = levels[last].members, levels[last].key == nil else { throw fault("Unmatched '}'") }
                if !members.members.isEmpty { throw fault("Expected another key-value pair") }
            }
            close()
        }
    }

    private mutating func endKey() throws(Fault) {
        guard let key = value else { throw fault("Expected string key before ':'") }
        guard let last = levels.indices.last, levels[last].members != nil, levels[last].key == nil else {
            throw fault("':' not as part of an object")
        }
        guard case .string(let name) = key else { throw fault("Object keys must be strings") }
        levels[last].key = name
        waiting += 1
        value = nil
    }

    private mutating func add(_ value: Value, to level: Int) throws(Fault) {
        guard levels[level].members != nil else { return levels[level].elements.append(value) }
        guard let key = levels[level].key.take() else { throw fault("Objects must consist of key:value pairs") }
        levels[level].members?.put(key, value)
        waiting -= 1
    }

    private mutating func close() {
        let level = levels.removeLast()
        waiting -= 1
        value = level.members.map { .object($0) } ?? .array(level.elements)
    }

    // MARK: Scalars

    private mutating func endLiteral(_ place: String = "") throws(Fault) {
        guard let first = token.first else { return }
        let literal = String(decoding: token, as: UTF8.self)
        switch first {
        case UInt8(ascii: "'"): throw fault("Invalid string literal; expected \", but got '" + place)
        case UInt8(ascii: "t"): try found(try named("true", .bool(true), literal, place), place)
        case UInt8(ascii: "f"): try found(try named("false", .bool(false), literal, place), place)
        case UInt8(ascii: "n") where literal.hasPrefix("nu"):
            try found(try named("null", .null, literal, place), place)
        default:
            guard let number = NumberText.value(literal) else { throw fault("Invalid numeric literal" + place) }
            try found(number, place)
        }
        token = []
    }

    private func named(_ name: String, _ value: Value, _ own: String, _ place: String) throws(Fault) -> Value {
        guard own == name else { throw fault("Invalid literal" + place) }
        return value
    }

    private mutating func endString() throws(Fault) {
        var bytes: [UInt8] = []
        var rest = token[...]
        while let byte = rest.popFirst() {
            if byte < 0x20 {
                throw fault("Invalid string: control characters from U+0000 through U+001F must be escaped")
            }
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "/"): bytes.append(escape)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "u"): bytes += Array(String(try scalar(&rest)).utf8)
            default: throw fault("Invalid escape")
            }
        }
        try found(.text(String(decoding: bytes, as: UTF8.self)))
        token = []
    }

    /// What follows `\u`.
    private func scalar(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> Character {
        var code = try unit(&rest)
        if 0xD800...0xDBFF ~= code {
            let problem = fault("Invalid \\uXXXX\\uXXXX surrogate pair escape")
            guard rest.starts(with: Array("\\u".utf8)), rest.count >= 6 else { throw problem }
            rest = rest.dropFirst(2)
            guard let low = try? unit(&rest), 0xDC00...0xDFFF ~= low else { throw problem }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        return Character(Unicode.Scalar(code) ?? "\u{FFFD}")
    }

    private func unit(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> UInt32 {
        guard rest.count >= 4 else { throw fault("Invalid \\uXXXX escape") }
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("Invalid characters in \\uXXXX escape") }
        return code
    }
}
