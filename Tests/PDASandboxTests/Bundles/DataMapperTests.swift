import LosslessJSON
import Testing

@testable import PDASandbox

struct DataMapperTests {
    private static let data =
        #"{"name":"Ann","nested":{"deep":{"value":1.50}},"education":[{"type":"school","year":1999},{"type":"university"}],"x":[10,20]}"#

    private func mapped(_ mapping: String, _ data: String = data) throws -> String {
        try DataMapper.data(JSONValue(parsing: data), by: JSONValue(parsing: mapping)).compactText
    }

    @Test(arguments: [
        (#"{"n":"name"}"#, #"{"n":"Ann"}"#),
        (#"{"a.b.c":"nested.deep.value","a.b.d":"name"}"#, #"{"a":{"b":{"c":1.50,"d":"Ann"}}}"#),
        (#"{"second":"x[1]","kind":"education[0].type"}"#, #"{"second":20,"kind":"school"}"#),
        (#"{"all":"nested"}"#, #"{"all":{"deep":{"value":1.50}}}"#),
        (
            #"{"newArray[]":{"source":"education[]","mappings":{"level":"type","when":"year"}}}"#,
            #"{"newArray":[{"level":"school","when":1999},{"level":"university"}]}"#
        ),
        (#"{"sub":{"source":"nested.deep","mappings":{"v":"value"}}}"#, #"{"sub":{"v":1.50}}"#),
        (#"{"first":{"source":"education[0]","mappings":{"v":"type"}}}"#, #"{"first":{"v":"school"}}"#),
        (#"{"n":"name","gone":"missing","far":"x[9]","none[]":{"source":"missing[]","mappings":{}}}"#, #"{"n":"Ann"}"#),
        (#"{"n":"name","wrong":7}"#, "{}"), (#"{"n":"name","wrong":{"source":"x"}}"#, "{}"),
        (
            #"{"list[]":{"source":"education[]","mappings":{"bad":1}}}"#, #"{"list":[]}"#
        ),
        ("{}", "{}"),
    ])
    func places(mapping: String, result: String) throws { #expect(try mapped(mapping) == result) }

    @Test(arguments: ["7", #""name""#, "null", #"["name"]"#])
    func whatIsNoObjectMapsNothing(mapping: String) throws {
        #expect(try mapped(mapping) == JSONValue(parsing: Self.data).compactText)
    }

    @Test(arguments: ["a-b", "a[x]", "a[", "a[1", "", "a..b", "a[-1]", "ä"])
    func aPathWithOtherCharactersIsRefused(path: String) throws {
        #expect(throws: EvaluationFailure.refused) { try mapped(#"{"n":"\#(path)"}"#) }
    }

    @Test func orderingTranslatesADestinationToItsSource() throws {
        var query = EndpointQuery(endpoint: "a/b")
        query.mapping = try JSONValue(parsing: #"{"when":"date.day","list":{"source":"x","mappings":{}}}"#)
        #expect(query.orderPath("when") == ["date", "day"])
        #expect(query.orderPath("date.day") == ["date", "day"])
        #expect(query.orderPath("list") == ["list"])
        #expect(query.orderPath("") == [])
    }
}
