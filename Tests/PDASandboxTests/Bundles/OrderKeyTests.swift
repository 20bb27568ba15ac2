import LosslessJSON
import Testing

@testable import PDASandbox

struct OrderKeyTests {
    private func key(_ text: String) -> OrderKey? {
        Array(text.utf8).withUnsafeBufferPointer { OrderKey(stored: $0) }
    }

    /// In `jsonb`'s order; the last two of the numbers differ behind what a double holds.
    private static let ordered = [
        "null", #""""#, #""A""#, #""a""#, #""a\n""#, #""ab""#, #""é""#, "-1e3", "-2", "-1.5", "0", "0.5", "7", "12",
        "123456789012345678", "1e18", "12345678901234567890123", "12345678901234567890124", "false", "true", "[]",
        "[1]",
        "[2]", "[1,1]", "{}", #"{"a":1}"#, #"{"a":2}"#,
    ]

    @Test func keysOrderAsJSONBDoes() throws {
        for (a, left) in Self.ordered.enumerated() {
            for (b, right) in Self.ordered.enumerated() {
                let order = OrderKey.compare(try #require(key(left)), try #require(key(right)))
                #expect(order.signum() == (a - b).signum(), "\(left) \(right)")
                let values = try JSONBOrder.compare(JSONValue(parsing: left), JSONValue(parsing: right))
                #expect(values.signum() == (a - b).signum(), "\(left) \(right)")
            }
        }
        #expect(OrderKey.compare(try #require(key("1")), try #require(key("1.0"))) == 0)
    }

    @Test(arguments: [
        ("a", "1"), ("b.c", #""x,]}\"y""#), ("list.0", "[1,2]"), ("list.0.1", "2"), ("list.-1", "{}"),
        ("list.1.k", "[]"),
        ("list.2", "{}"), ("list.9", "nil"), ("list.-9", "nil"), ("z", "nil"), ("a.b", "nil"),
        ("b", #"{"c":"x,]}\"y","é":null}"#),
        ("b.é", "null"), ("", "nil"), (#"q"k"#, "true"), ("list.x", "nil"),
    ])
    func pathsAreFoundInStoredText(path: String, expected: String) throws {
        let text = #"{"a":1,"b":{"c":"x,]}\"y","é":null},"list":[[1,2],{"k":[]},{}],"q\"k":true}"#
        let parts = path.isEmpty ? [""] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let found = Array(text.utf8).withUnsafeBufferPointer { bytes in
            StoredJSONPath(parts).range(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
        let wanted = expected == "nil" ? nil : expected
        #expect(found == wanted)
        // The same that the slow way finds.
        let value = JSONBOrder.value(in: try JSONValue(parsing: text), at: parts)
        #expect(found == value?.compactText)
    }

    @Test func aSelectionKeepsTheFirstOfAnyNumberAndOrder() {
        var generator = FixedGenerator(state: 42)
        for limit in [0, 1, 10, 600, 5000] {
            for isDescending in [false, true] {
                var selection = Selection(isDescending: isDescending, limit: limit)
                var all: [(key: Int64?, sequence: Int64)] = []
                for sequence in 0..<4000 as Range<Int64> {
                    let key: Int64? =
                        Int.random(in: 0..<20, using: &generator) == 0 ? nil : .random(in: 0..<500, using: &generator)
                    all.append((key, sequence))
                    selection.add(Candidate(key: key.map { .integer($0) }, sequence: sequence, query: 0))
                }
                let wanted = all.sorted { left, right in
                    switch (left.key, right.key) {
                    case (let a?, let b?) where a != b: isDescending ? a > b : a < b
                    case (_?, nil): true
                    case (nil, _?): false
                    default: left.sequence < right.sequence
                    }
                }.prefix(limit).map(\.sequence)
                let got = selection.sorted().map(\.sequence)
                #expect(got == Array(wanted), "\(limit) \(isDescending)")
            }
        }
    }
}

/// A small generator with a seed.
private struct FixedGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
