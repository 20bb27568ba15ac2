import LosslessJSON
import PDAClient
import PlugCore
import Testing

struct ShapeTests {
    private func problem(_ body: () throws -> Void) -> String? {
        do { try body() } catch let error as PDAError { return "\(error.code): \(error.message)" } catch {
            return "\(error)"
        }
        return nil
    }

    /// Every documented example, with something unknown at each level, comes back byte for byte.
    @Test(arguments: [Examples.plug, Examples.app, Examples.serverPlug])
    func applicationsComeBackAsTheyWere(text: String) throws {
        let json = Self.salted(try JSONValue(parsing: text))
        #expect(try HATApplicationObject(json: json).json.compactText == json.compactText)
    }

    @Test func dataDebitsComeBackAsTheyWere() throws {
        let debit = Self.salted(try JSONValue(parsing: Examples.debit))
        #expect(try DataDebitObject(json: debit).json.compactText == debit.compactText)
        let creation = Self.salted(try JSONValue(parsing: Examples.creation))
        #expect(try DataDebitCreationObject(json: creation).json.compactText == creation.compactText)
        let values = try JSONValue(parsing: Examples.values)
        #expect(try DataDebitValuesObject(json: values).json.compactText == values.compactText)
    }

    /// The bundle's properties are named by anybody: there a new member would be a property.
    private static let open: Set<JSONString> = ["mapping", "nestedStructure"]

    private static func salted(_ value: JSONValue, isMap: Bool = false) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { salted($0) })
        case .object(let object):
            // `bundle` is a map where it stands beside `name`, else a bundle itself.
            let holdsMap = object["name"] != nil
            var members: [JSONObject.Member] =
                isMap ? [] : [("x-unknown", .number(JSONNumber("1.10") ?? JSONNumber(1)))]
            for (key, value) in object.members {
                let inner = open.contains(key) ? value : salted(value, isMap: key == "bundle" && holdsMap)
                members.append((key, inner))
            }
            return .object(JSONObject(members))
        default: return value
        }
    }

    @Test func whatChangesIsWrittenInItsPlaceAndTheRestStays() throws {
        let text = #"{"end":null,"score":"A","points":1e1,"new":{"a":1.0}}"#
        var rating = try ApplicationRating(json: try JSONValue(parsing: text))
        #expect(rating.points == 10)
        #expect(rating.json.compactText == text)
        rating.score = "B"
        #expect(rating.json.compactText == #"{"end":null,"score":"B","points":1e1,"new":{"a":1.0}}"#)
        rating.points = nil
        #expect(rating.json.compactText == #"{"end":null,"score":"B","new":{"a":1.0}}"#)
        #expect(rating.other.keys == ["end", "new"])
        rating.other["new"] = nil
        rating.other["more"] = .bool(true)
        rating.other["score"] = .text("nothing of its own")
        #expect(rating.json.compactText == #"{"end":null,"score":"B","more":true}"#)
    }

    @Test func nullIsNoneAndStaysNull() throws {
        let text = #"{"text":"t","markdown":null}"#
        var formatted = try FormattedText(json: try JSONValue(parsing: text))
        #expect(formatted.markdown == nil)
        #expect(formatted.json.compactText == text)
        formatted.markdown = "**t**"
        #expect(formatted.json.compactText == #"{"text":"t","markdown":"**t**"}"#)
    }

    @Test(arguments: [
        ("[]", "undecodable: the value should be an object, not an array"),
        ("{}", "undecodable: 'text' is missing"),
        (#"{"text":null}"#, "undecodable: 'text' should be a string, not null"),
        (#"{"text":"t","html":1}"#, "undecodable: 'html' should be a string, not a number"),
    ])
    func whatDoesNotFitIsNamedByItsPath(text: String, message: String) {
        #expect(problem { _ = try FormattedText(json: try JSONValue(parsing: text)) } == message)
    }

    @Test func shapesAreCodableWithoutLosingDigits() throws {
        struct Own: Codable { var items: [FeedCoordinates] }
        let text = #"{"items":[{"longitude":1.10,"latitude":51.500000000000000000001}]}"#
        let own = try JSONValueDecoder().decode(Own.self, from: try JSONValue(parsing: text))
        #expect(try JSONValueEncoder().encode(own).compactText == text)
        #expect(throws: DecodingError.self) {
            try JSONValueDecoder().decode(Own.self, from: try JSONValue(parsing: #"{"items":[{}]}"#))
        }
    }

    @Test func equalityLooksAtMembersNotAtTheirOrder() throws {
        let left = try FeedCoordinates(json: try JSONValue(parsing: #"{"latitude":1.0,"longitude":2}"#))
        let right = try FeedCoordinates(json: try JSONValue(parsing: #"{"longitude":2,"latitude":1}"#))
        #expect(left == right)
        #expect(left != (try FeedCoordinates(json: try JSONValue(parsing: #"{"longitude":2,"latitude":3}"#))))
    }

    @Test func timesKeepTheirText() throws {
        let text = #"{"iso":"2024-05-06T00:00:00+0000","unix":1714953600}"#
        let date = try FeedDate(json: try JSONValue(parsing: text))
        #expect(date.iso.timestamp?.seconds == 1_714_953_600)
        #expect(date.json.compactText == text)
        let number = try FeedDate(json: try JSONValue(parsing: #"{"iso":1714953600000,"unix":1}"#))
        #expect(number.iso.timestamp == date.iso.timestamp)
        #expect(number.json.compactText == #"{"iso":1714953600000,"unix":1}"#)
        #expect(PDATime(Timestamp(seconds: 0)).text == "1970-01-01T00:00:00Z")
    }

    @Test func mapsKeepOrderAndTellBytesApart() {
        var map: PDAMap<Int> = ["b": 1, "a": 2, "b": 3]
        #expect(map.names == ["b", "a"])
        #expect(map.values == [3, 2])
        map["é"] = 4
        map["e\u{301}"] = 5
        #expect(map.values == [3, 2, 4, 5])
        map["b"] = nil
        #expect(map.names.count == 3)
        #expect(map["b"] == nil)
    }
}
