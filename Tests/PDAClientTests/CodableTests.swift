import Foundation
import LosslessJSON
import PDAClient
import Testing

struct CodableTests {
    private struct Everything: Codable, Equatable {
        var amount: Decimal
        var large: UInt64
        var small: Int64
        var text: String
        var list: [Int8?]
        var nested: [String: Bool]
        var url: URL
        var missing: Double?
    }

    private struct Kept: Codable {
        var value: JSONValueBox
    }

    @Test func digitsComeThroughBothWays() throws {
        let text =
            #"{"amount":12345678901234567890.123456789,"large":18446744073709551615,"small":-9223372036854775808,"#
            + #""text":"é\u0000","list":[1,null,-128],"nested":{"yes":true},"url":"https://a.example/b"}"#
        let value = try JSONValue(parsing: text)
        let everything = try JSONValueDecoder().decode(Everything.self, from: value)
        #expect(everything.large == .max)
        #expect(everything.small == .min)
        #expect(everything.list == [1, nil, -128])
        #expect(try JSONValueEncoder().encode(everything).compactText == value.compactText)
    }

    @Test func aJSONValueInsideKeepsItsText() throws {
        let text = #"{"value":{"n":1.10,"e":1e400,"a":[null]}}"#
        let kept = try JSONValueDecoder().decode(Kept.self, from: JSONValue(parsing: text))
        #expect(try JSONValueEncoder().encode(kept).compactText == text)
    }

    @Test func numbersThatWouldLoseDigitsAreRefused() throws {
        let decoder = JSONValueDecoder()
        let digits = String(repeating: "123456789", count: 6)
        let long = try JSONValue(parsing: digits)
        #expect(throws: DecodingError.self) { try decoder.decode(Decimal.self, from: long) }
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: JSONValue(parsing: "1.5")) }
        #expect(throws: DecodingError.self) { try decoder.decode(Int8.self, from: .integer(128)) }
        #expect(throws: DecodingError.self) { try decoder.decode(Double.self, from: JSONValue(parsing: "1e400")) }
        #expect(try decoder.decode(Int.self, from: JSONValue(parsing: "1e2")) == 100)
    }

    @Test func errorsNameTheCodingPath() throws {
        let value = try JSONValue(parsing: #"{"a":[{"b":1},{"b":"x"}]}"#)
        do {
            _ = try JSONValueDecoder().decode([String: [[String: Int]]].self, from: value)
            Issue.record("should have failed")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1", "b"])
        }
    }

    @Test func encodingRefusesWhatJSONHasNot() {
        #expect(throws: EncodingError.self) { try JSONValueEncoder().encode([Double.nan]) }
    }
}
