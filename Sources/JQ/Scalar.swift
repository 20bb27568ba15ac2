internal import Glibc
internal import LosslessJSON

/// A literal of a program, with which values of a document are compared in place.
enum Scalar: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string([UInt8])

    /// The number of digits that always fits into 64 bits.
    private static let digitLimit = 18

    /// The scalar that a program is; `nil` for anything else, and for numbers other than short integers.
    init?(_ syntax: JQSyntax) {
        switch syntax.node {
        case .literal(.null): self = .null
        case .literal(.bool(let bool)): self = .bool(bool)
        case .literal(.string(let text)): self = .string(Array(text.text.utf8))
        case .literal(.number(let number)):
            guard let integer = Self.integer(number) else { return nil }
            self = .integer(integer)
        case .negation(let inner):
            guard case .literal(.number(let number)) = inner.node, let integer = Self.integer(number) else {
                return nil
            }
            self = .integer(-integer)
        default: return nil
        }
    }

    private static func integer(_ number: JSONNumber) -> Int64? {
        var text = number.text
        return text.withUTF8 { integer($0) }
    }

    /// An integer written with few digits and nothing else.
    private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = UnsafeBufferPointer(rebasing: text[(isNegative ? 1 : 0)...])
        guard 1...digitLimit ~= digits.count else { return nil }
        var integer: Int64 = 0
        for byte in digits {
            guard 0x30...0x39 ~= byte else { return nil }
            integer = integer * 10 + Int64(byte &- 0x30)
        }
        return isNegative ? -integer : integer
    }

    /// The rank among jq's types: `null`, `false`, `true`, numbers, strings, arrays, objects.
    private var rank: Int {
        switch self {
        case .null: 0
        case .bool(let bool): bool ? 2 : 1
        case .integer: 3
        case .string: 4
        }
    }

    /// How `null` compares with it: −1 or 0.
    var orderOfNull: Int { rank == 0 ? 0 : -1 }

    /// How the value at a node compares with it: −1, 0 or 1; `nil` if the engine has to decide.
    func order(of cursor: JSONCursor, _ node: Int) -> Int? {
        let other =
            switch cursor.kind(node) {
            case .null: 0
            case .bool: cursor.firstByte(node) == UInt8(ascii: "t") ? 2 : 1
            case .number: 3
            case .string: 4
            case .array: 5
            case .object: 6
            }
        if other != rank { return other < rank ? -1 : 1 }
        switch self {
        case .null, .bool: return 0
        case .integer(let integer):
            guard let value = Self.integer(cursor.slice(node)) else { return nil }
            return value == integer ? 0 : value < integer ? -1 : 1
        case .string(let text):
            if cursor.hasEscape(node) { return nil }
            return text.withUnsafeBufferPointer { Self.order(cursor.rawString(node), $0) }
        }
    }

    private static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        let common = min(left.count, right.count)
        // `memcmp` reads no bytes for a count of zero, but still needs addresses.
        if common > 0, let a = left.baseAddress, let b = right.baseAddress {
            let order = memcmp(a, b, common)
            if order != 0 { return order < 0 ? -1 : 1 }
        }
        return left.count == right.count ? 0 : left.count < right.count ? -1 : 1
    }
}
