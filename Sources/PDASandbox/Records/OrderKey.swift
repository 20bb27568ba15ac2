internal import LosslessJSON

/// A value reduced to what determines its place in `jsonb`'s order, cheap to compare.
enum OrderKey: Sendable {
    /// JSON null is below everything else.
    case null
    case text([UInt8])
    case integer(Int64)
    case number(JSONNumber)
    case bool(Bool)
    case deep(JSONValue)

    /// The key of a stored value.
    init?(stored text: UnsafeBufferPointer<UInt8>) {
        guard let first = text.first else { return nil }
        switch first {
        case UInt8(ascii: "n"): self = .null
        case UInt8(ascii: "t"): self = .bool(true)
        case UInt8(ascii: "f"): self = .bool(false)
        case UInt8(ascii: "\"") where !text.contains(UInt8(ascii: "\\")):
            self = .text(Array(text[1..<(text.count - 1)]))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let number = Self.number(text) else { return nil }
            self = number
        default:
            guard let value = try? JSONValue(parsing: Array(text), limits: .record) else { return nil }
            if case .string(let string) = value {
                self = .text(Array(string.text.utf8))
            } else {
                self = .deep(value)
            }
        }
    }

    private static func number(_ text: UnsafeBufferPointer<UInt8>) -> OrderKey? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = text.dropFirst(isNegative ? 1 : 0)
        // Eighteen digits always fit.
        if digits.count <= 18, digits.allSatisfy({ $0 &- 0x30 < 10 }) {
            let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
            return .integer(isNegative ? -value : value)
        }
        return JSONNumber(String(decoding: text, as: UTF8.self)).map { .number($0) }
    }

    /// A number below, at or above zero.
    static func compare(_ left: OrderKey, _ right: OrderKey) -> Int {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.text(let a), .text(let b)): return compare(a, b)
        case (.bool(let a), .bool(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
        case (.integer(let a), .number(let b)): return compare(JSONNumber(a), b)
        case (.number(let a), .integer(let b)): return compare(a, JSONNumber(b))
        case (.number(let a), .number(let b)): return compare(a, b)
        case (.deep(let a), .deep(let b)): return JSONBOrder.compare(a, b)
        default: return left.rank - right.rank
        }
    }

    private static func compare(_ a: JSONNumber, _ b: JSONNumber) -> Int { a < b ? -1 : b < a ? 1 : 0 }

    private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
        for at in 0..<min(a.count, b.count) where a[at] != b[at] { return a[at] < b[at] ? -1 : 1 }
        return a.count - b.count
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .text: 1
        case .integer, .number: 2
        case .bool: 3
        case .deep: 4
        }
    }
}

/// A record that may be in the answer.
struct Candidate: Sendable {
    /// `nil` without a value, which sorts last in both directions.
    var key: OrderKey?
    /// The row.
    var sequence: Int64
    /// Which of the property's queries found it.
    var query: Int
}

/// Keeps the first candidates of an order, up to a limit, without keeping all of them.
struct Selection {
    private typealias Entry = (candidate: Candidate, position: Int)
    private let isDescending: Bool
    private let limit: Int
    private var entries: [Entry] = []
    private var seen = 0
    private var isFull = false

    init(isDescending: Bool, limit: Int) {
        self.isDescending = isDescending
        self.limit = limit
    }

    mutating func add(_ candidate: Candidate) {
        seen += 1
        let entry = (candidate, seen)
        // Once sorted down, the last candidate kept is a bound that later ones have to beat.
        if isFull, limit > 0, !Self.precedes(entry, entries[limit - 1], isDescending) { return }
        entries.append(entry)
        if limit < 1 << 30, entries.count >= 2 * limit + 512 { cut() }
    }

    /// The candidates in order, up to the limit.
    mutating func sorted() -> [Candidate] {
        cut()
        return entries.map(\.candidate)
    }

    private mutating func cut() {
        entries.sort { [isDescending] in Self.precedes($0, $1, isDescending) }
        if entries.count > limit { entries.removeLast(entries.count - limit) }
        isFull = entries.count == limit
    }

    /// Equal keys stay in the order in which they were found.
    private static func precedes(_ left: Entry, _ right: Entry, _ isDescending: Bool) -> Bool {
        switch (left.candidate.key, right.candidate.key) {
        case (let a?, let b?):
            let order = OrderKey.compare(a, b)
            if order != 0 { return isDescending ? order > 0 : order < 0 }
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil): break
        }
        return left.position < right.position
    }
}
