import LosslessJSON
import Testing

@testable import PlugFetch

struct SingerCatalogueTests {
    private func selecting(_ streams: Set<String>, _ text: String, _ marks: SingerCatalogue.Marks = .inMetadata) throws
        -> [JSONValue]
    {
        let selected = SingerCatalogue.selecting(streams, in: try JSONValue(parsing: text), marks)
        return try #require(selected["streams"]?.elements)
    }

    @Test("of a selected stream all fields are selected, but for those that somebody has left out")
    func fields() throws {
        let text = #"""
            {"streams":[{"stream":"a","schema":{"properties":{"id":{},"name":{},"raw":{},"large":{},"odd":{},"bare":{}}},"metadata":[
            {"breadcrumb":[],"metadata":{"inclusion":"available"}},
            {"breadcrumb":["properties","id"],"metadata":{"inclusion":"automatic"}},
            {"breadcrumb":["properties","name"],"metadata":{"inclusion":"available"}},
            {"breadcrumb":["properties","raw"],"metadata":{"inclusion":"available","selected":false}},
            {"breadcrumb":["properties","large"],"metadata":{"inclusion":"available","selected-by-default":false}},
            {"breadcrumb":["properties","odd"],"metadata":{"inclusion":"unsupported"}},
            {"breadcrumb":["properties","name","properties","first"],"metadata":{"inclusion":"available"}}]}]}
            """#
        let stream = try #require(try selecting(["a"], text).first)
        #expect(stream["selected"] == .bool(true) && stream["schema"]?["selected"] == .bool(true))
        #expect(stream["schema"]?["properties"]?["name"] == .object(JSONObject()))
        #expect(
            stream["metadata"]?.elements?.map(\.compactText) == [
                #"{"breadcrumb":[],"metadata":{"inclusion":"available","selected":true}}"#,
                #"{"breadcrumb":["properties","id"],"metadata":{"inclusion":"automatic"}}"#,
                #"{"breadcrumb":["properties","name"],"metadata":{"inclusion":"available","selected":true}}"#,
                #"{"breadcrumb":["properties","raw"],"metadata":{"inclusion":"available","selected":false}}"#,
                #"{"breadcrumb":["properties","large"],"metadata":{"inclusion":"available","selected-by-default":false}}"#,
                #"{"breadcrumb":["properties","odd"],"metadata":{"inclusion":"unsupported"}}"#,
                #"{"breadcrumb":["properties","name","properties","first"],"metadata":{"inclusion":"available","selected":true}}"#,
                #"{"breadcrumb":["properties","bare"],"metadata":{"selected":true}}"#,
            ]
        )
    }

    @Test("a stream that is not wanted is deselected, and nothing is said of its fields")
    func others() throws {
        let text = #"""
            {"streams":[{"tap_stream_id":"a","schema":{"properties":{"id":{}}},"metadata":[
            {"breadcrumb":["properties","id"],"metadata":{"inclusion":"available"}}]}]}
            """#
        let stream = try #require(try selecting(["b"], text).first)
        #expect(stream["selected"] == .bool(false) && stream["schema"]?["selected"] == .bool(false))
        #expect(
            stream["metadata"]?.elements?.map(\.compactText) == [
                #"{"breadcrumb":["properties","id"],"metadata":{"inclusion":"available"}}"#,
                #"{"breadcrumb":[],"metadata":{"selected":false}}"#,
            ]
        )
    }

    @Test("programs that take '--properties' look for marks in the schema")
    func properties() throws {
        let text =
            #"{"streams":[{"stream":"a","schema":{"properties":{"id":{"inclusion":"automatic"},"name":{"type":"string"}}}}]}"#
        let stream = try #require(try selecting(["a"], text, .inMetadataAndSchema).first)
        #expect(
            stream["schema"]?.compactText
                == #"{"properties":{"id":{"inclusion":"automatic"},"name":{"type":"string","selected":true}},"selected":true}"#
        )
    }
}
