import LosslessJSON
import Testing

@testable import PDASandbox

struct FieldFilterTests {
    private static let record =
        #"{"field":"value","n":7,"list":["a","b",3],"date":"2016-11-22T14:37:02.5Z","at":1479825422,"objects":[{"type":"school","years":[1,2]},{"type":"work"}],"text":"The quick brown fox","none":null}"#

    private func matches(_ filter: String, _ data: String = record) throws -> Bool {
        try FieldFilter(ShapeReader(JSONValue(parsing: filter))).matches(JSONValue(parsing: data))
    }

    @Test(arguments: [
        ("list", #""a""#, true), ("list", "3.0", true), ("list", #""c""#, false), ("list", #"["b","a"]"#, true),
        ("list", #"["b","c"]"#, false), ("field", #""value""#, true), ("field", #""val""#, false), ("n", "7.0", true),
        ("objects", #"[{"type":"school"}]"#, true), ("objects", #"[{"years":[2]}]"#, true),
        ("objects", #"[{"years":2}]"#, false), ("objects", #"{"type":"school"}"#, false),
        ("objects.0", #"{"years":[1]}"#, true), ("objects.0.type", #""school""#, true), ("missing", "null", false),
        ("none", "null", true), ("list", "[]", true), ("field", "[]", false),
    ])
    func containsAsJSONBDoes(field: String, value: String, expected: Bool) throws {
        let filter = #"{"field":"\#(field)","operator":{"operator":"contains","value":\#(value)}}"#
        #expect(try matches(filter) == expected)
    }

    @Test(arguments: [
        ("field", #"["value","value2"]"#, true), ("field", #"["x"]"#, false), ("list", #"["a","b","c",3]"#, true),
        ("list", #"["a","b"]"#, false), ("n", "7", true), ("missing", #"["x"]"#, false),
    ])
    func inIsContainmentTheOtherWayRound(field: String, value: String, expected: Bool) throws {
        #expect(try matches(#"{"field":"\#(field)","operator":{"operator":"in","value":\#(value)}}"#) == expected)
    }

    @Test(arguments: [
        ("n", "7", "7", true), ("n", "7.1", "8", false), ("field", #""v""#, #""w""#, true),
        ("n", #""a""#, "true", true),
        ("missing", "0", "9", false),
    ])
    func betweenIsInclusiveInJSONBOrder(field: String, lower: String, upper: String, expected: Bool) throws {
        let text = #"{"field":"\#(field)","operator":{"operator":"between","lower":\#(lower),"upper":\#(upper)}}"#
        #expect(try matches(text) == expected)
    }

    @Test(arguments: [
        ("hour", "14"), ("minute", "37"), ("second", "2.5"), ("milliseconds", "2500"), ("microseconds", "2500000"),
        ("day", "22"), ("month", "11"), ("year", "2016"), ("dow", "2"), ("isodow", "2"), ("doy", "327"), ("week", "47"),
        ("isoyear", "2016"), ("quarter", "4"), ("decade", "201"), ("century", "21"), ("millennium", "3"),
        ("epoch", "1479825422.5"), ("timezone", "0"), ("HOUR", "14"),
    ])
    func dateParts(part: String, value: String) throws {
        let text = #"""
            {"field":"date","transformation":{"transformation":"datetimeExtract","part":"\#(part)"},
             "operator":{"operator":"contains","value":\#(value)}}
            """#
        #expect(try matches(text))
    }

    /// Computed with a calendar: the first days of years belong to weeks of the years before, and the other way round.
    @Test(arguments: [
        ("2021-01-03T00:00:00Z", "53", "2020"), ("2018-12-31T00:00:00Z", "1", "2019"),
        ("2024-02-29T00:00:00Z", "9", "2024"),
        ("1969-12-31T23:59:59Z", "1", "1970"),
    ])
    func weeksBelongToTheYearOfTheirThursday(date: String, week: String, year: String) throws {
        for (part, value) in [("week", week), ("isoyear", year)] {
            let text = #"""
                {"field":"d","transformation":{"transformation":"datetimeExtract","part":"\#(part)"},
                 "operator":{"operator":"contains","value":\#(value)}}
                """#
            #expect(try matches(text, #"{"d":"\#(date)"}"#), "\(date) \(part)")
        }
    }

    @Test func secondsSince1970HaveTheSameParts() throws {
        let hour = #"""
            {"field":"at","transformation":{"transformation":"timestampExtract","part":"hour"},
             "operator":{"operator":"between","lower":14,"upper":14}}
            """#
        #expect(try matches(hour))
        #expect(throws: EvaluationFailure.cast) { try matches(hour, #"{"at":"yesterday"}"#) }
        #expect(try !matches(hour, #"{"at":null}"#))
    }

    @Test func whatIsNoDateIsACastThatFails() throws {
        let text = #"""
            {"field":"field","transformation":{"transformation":"datetimeExtract","part":"hour"},
             "operator":{"operator":"between","lower":14,"upper":14}}
            """#
        #expect(throws: EvaluationFailure.cast) { try matches(text) }
        #expect(throws: EvaluationFailure.refused) {
            try matches(
                text.replacing("hour", with: "fortnight").replacing(#""field":"field""#, with: #""field":"date""#)
            )
        }
    }

    @Test(arguments: [
        ("FOX quick", true), ("the fox", true), ("foxes", false), ("qui", false), ("the", false), ("fox wolf", false),
    ])
    func searchFindsWholeWords(search: String, expected: Bool) throws {
        let text = #"""
            {"field":"text","transformation":{"transformation":"searchable"},
             "operator":{"operator":"find","search":"\#(search)"}}
            """#
        #expect(try matches(text) == expected)
    }

    @Test func aPairThatMakesNoSenseFiltersNothing() throws {
        #expect(try matches(#"{"field":"missing","operator":{"operator":"find","search":"x"}}"#))
        #expect(
            try matches(
                #"{"field":"missing","transformation":{"transformation":"searchable"},"operator":{"operator":"contains","value":1}}"#
            )
        )
        #expect(
            try matches(
                #"{"field":"n","transformation":{"transformation":"identity"},"operator":{"operator":"find","search":1}}"#
            )
        )
    }

    @Test func anUnknownTagIsRefusedWithItsPath() throws {
        #expect {
            try FieldFilter(ShapeReader(JSONValue(parsing: #"{"field":"a","operator":{"operator":"like"}}"#)))
        } throws: {
            ($0 as? ShapeRefusal)?.path == "obj.operator.operator"
        }
        #expect(throws: FieldFilter.TagMissing.self) {
            try FieldFilter(ShapeReader(JSONValue(parsing: #"{"field":"a","operator":{"value":1}}"#)))
        }
    }

    @Test func queriesAreWrittenAsTheyWereRead() throws {
        let text =
            #"{"endpoints":[{"endpoint":"a/b","mapping":{"x":"y"},"filters":[{"field":"f","transformation":{"transformation":"datetimeExtract","part":"hour"},"operator":{"operator":"between","lower":1,"upper":2}},{"field":"g","operator":{"operator":"in","value":[1]}},{"field":"h","transformation":{"transformation":"searchable"},"operator":{"operator":"find","search":"z"}}],"links":[{"endpoint":"c/d"}]}],"orderBy":"x","ordering":"descending","limit":3}"#
        #expect(try PropertyQuery(ShapeReader(JSONValue(parsing: text))).json.compactText == text)
    }
}
