import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// Lines 28 to 40 of the conformance list: what bundles, combinators and data debits evaluate.
@Suite(.fewAtATime)
struct QueryConformance {
    @Test func line28ContainsFindsAnElementOfAnArray() async throws {
        try await RunningSandbox.with { sandbox in
            try await sandbox.storeSubjects()
            #expect(try await sandbox.filtered("list", #"{"operator":"contains","value":"y"}"#) == ["one", "two"])
            #expect(try await sandbox.filtered("list", #"{"operator":"contains","value":"x"}"#) == ["one"])
        }
    }

    @Test func line29ContainsFindsASubObject() async throws {
        try await RunningSandbox.with { sandbox in
            try await sandbox.storeSubjects()
            #expect(try await sandbox.filtered("objects", #"{"operator":"contains","value":[{"b":2}]}"#) == ["one"])
            #expect(try await sandbox.filtered("objects", #"{"operator":"contains","value":[{"b":3}]}"#) == [])
        }
    }

    @Test func line30ContainsOnATextIsEquality() async throws {
        try await RunningSandbox.with { sandbox in
            try await sandbox.storeSubjects()
            #expect(try await sandbox.filtered("field", #"{"operator":"contains","value":"value"}"#) == ["one"])
            #expect(try await sandbox.filtered("field", #"{"operator":"contains","value":"val"}"#) == [])
        }
    }

    @Test func line31BetweenIsARange() async throws {
        try await RunningSandbox.with { sandbox in
            try await sandbox.storeSubjects()
            #expect(try await sandbox.filtered("n", #"{"operator":"between","lower":15,"upper":25}"#) == ["two"])
            #expect(
                try await sandbox.filtered("n", #"{"operator":"between","lower":10,"upper":20}"#) == ["one", "two"]
            )
        }
    }

    @Test func line32InIsOneOf() async throws {
        try await RunningSandbox.with { sandbox in
            try await sandbox.storeSubjects()
            #expect(
                try await sandbox.filtered("field", #"{"operator":"in","value":["value","value2"]}"#) == ["one", "two"]
            )
        }
    }

    @Test func line33TheHourOfADate() async throws {
        try await RunningSandbox.with { sandbox in
            try await sandbox.storeSubjects()
            let names = try await sandbox.filtered(
                "iso",
                #"{"operator":"between","lower":14,"upper":17}"#,
                transformation: #"{"transformation":"datetimeExtract","part":"hour"}"#
            )
            #expect(names == ["one"])
        }
    }

    @Test func line34TheHourOfSeconds() async throws {
        try await RunningSandbox.with { sandbox in
            try await sandbox.storeSubjects()
            let names = try await sandbox.filtered(
                "unix",
                #"{"operator":"between","lower":14,"upper":17}"#,
                transformation: #"{"transformation":"timestampExtract","part":"hour"}"#
            )
            #expect(names == ["one"])
        }
    }

    @Test func line35TwoQueriesMakeOneOrderedList() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("q/a", #"[{"when":{"day":3},"t":"c"},{"when":{"day":1},"t":"a"}]"#)
            _ = try await sandbox.post("q/b", #"[{"day":2,"title":"b"},{"title":"none"},{"day":4,"title":"d"}]"#)
            let query = #"""
                {"endpoints":[{"endpoint":"q/a","mapping":{"order":"when.day","text":"t"}},
                              {"endpoint":"q/b","mapping":{"order":"day","text":"title"}}],"orderBy":"order"}
                """#
            let found = try await sandbox.property(query)
            #expect(found.map { $0["data"]?["text"]?.stringText } == ["a", "b", "c", "d", "none"])
            #expect(found.map { $0["endpoint"]?.stringText } == ["q/a", "q/b", "q/a", "q/b", "q/b"])
            #expect(found.first?.object?.keys == ["endpoint", "recordId", "data"])
            let descending = try await sandbox.property(
                query.replacing(#""orderBy":"order""#, with: #""orderBy":"order","ordering":"descending","limit":3"#)
            )
            #expect(descending.map { $0["data"]?["text"]?.stringText } == ["d", "c", "b"])
            // As a combinator, with a window.
            let body = #"[{"endpoint":"q/a","mapping":{"order":"when.day","text":"t"}},{"endpoint":"q/b"}]"#
            let set = try await sandbox.send("POST", "/api/v2.6/combinator/mine/all", body, token: sandbox.owner)
            #expect(set.text == #"{"message":"Combinator mine/all registered"}"#)
            let path = "/api/v2.6/combinator/mine/all?orderBy=order&skip=1&take=1"
            let window = try await sandbox.get(path, token: sandbox.owner)
            #expect(window.json?.elements?.map { $0["data"]?.compactText } == [#"{"order":3,"text":"c"}"#])
            let unknown = try await sandbox.get("/api/v2.6/combinator/other", token: sandbox.owner)
            #expect(unknown.status == 404)
            #expect(unknown.text == #"{"message":"Combinator Not Found","cause":"Combinator other not found"}"#)
        }
    }

    @Test func line36LinksComeWhereTheyAreAskedFor() async throws {
        try await RunningSandbox.with { sandbox in
            let batch = #"""
                [{"endpoint":"q/main","data":{"n":1},"links":[{"endpoint":"q/one","data":{"a":1}},
                  {"endpoint":"q/two","data":{"b":2}}]}]
                """#
            #expect(try await sandbox.send("POST", PDARoute.dataBatch, batch, token: sandbox.owner).status == 201)
            let without = try await sandbox.property(#"{"endpoints":[{"endpoint":"q/main"}]}"#)
            #expect(without.map { $0["links"] } == [nil])
            let with = try await sandbox.property(
                #"{"endpoints":[{"endpoint":"q/main","links":[{"endpoint":"q/one","mapping":{"mapped":"a"}}]}]}"#
            )
            let links = with.first?["links"]?.elements ?? []
            #expect(links.map { $0["endpoint"]?.stringText } == ["q/one"])
            #expect(links.map { $0["data"]?.compactText } == [#"{"mapped":1}"#])
            // Groups that were made later count as well, and records without any have no member for them.
            let third = try await sandbox.store("q/three", #"{"c":3}"#)
            let main = try #require(without.first?["recordId"]?.stringText)
            let link = try await sandbox.client.send(
                "POST",
                "/api/v2.6/data-link?records=\(main)&records=\(third)",
                headers: [("X-Auth-Token", sandbox.owner)]
            )
            #expect(link.status == 201)
            #expect(link.text == #"{"message":"Grouping registered"}"#)
            let linked = try await sandbox.property(
                #"{"endpoints":[{"endpoint":"q/main","links":[{"endpoint":"q/three"}]}]}"#
            )
            #expect(linked.first?["links"]?.elements?.map { $0["data"]?.compactText } == [#"{"c":3}"#])
            let lonely = try await sandbox.property(
                #"{"endpoints":[{"endpoint":"q/main","links":[{"endpoint":"q/none"}]}]}"#
            )
            #expect(lonely.map { $0["links"] } == [nil])
            let broken = try await sandbox.client.send(
                "POST",
                "/api/v2.6/data-link?records=\(main)&records=\(UUIDText.random())",
                headers: [("X-Auth-Token", sandbox.owner)]
            )
            #expect(broken.status == 500)
        }
    }

    @Test func line37ABundleHasItsPropertiesWithTheirLimits() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("q/a", #"[{"n":1},{"n":2},{"n":3},{"n":4}]"#)
            _ = try await sandbox.post("q/b", #"[{"m":1},{"m":2}]"#)
            let path = "/api/v2.6/data-bundle/mine"
            let body =
                #"{"first":{"endpoints":[{"endpoint":"q/a"}],"limit":3},"second":{"endpoints":[{"endpoint":"q/b"}],"limit":1}}"#
            let set = try await sandbox.send("POST", path, body, token: sandbox.owner)
            #expect(set.status == 201)
            #expect(set.text == #"{"message":"Bundle mine registered"}"#)
            let values = try await sandbox.get(path, token: sandbox.owner)
            #expect(values.json?.object?.keys == ["first", "second"])
            #expect(values.json?["first"]?.elements?.count == 3)
            #expect(values.json?["second"]?.elements?.count == 1)
            let structure = try await sandbox.get("\(path)/structure", token: sandbox.owner)
            #expect(structure.text == #"{"name":"mine","bundle":\#(body)}"#)
            let unknown = try await sandbox.get("/api/v2.6/data-bundle/other", token: sandbox.owner)
            #expect(unknown.status == 404)
            #expect(unknown.text == #"{"message":"Bundle Not Found","cause":"Bundle other not found"}"#)
        }
    }

    private func mapped(_ mapping: String, _ data: String) async throws -> String? {
        try await RunningSandbox.value { sandbox in
            _ = try await sandbox.post("q/a", data)
            let found = try await sandbox.property(#"{"endpoints":[{"endpoint":"q/a","mapping":\#(mapping)}]}"#)
            return found.first?["data"]?.compactText
        }
    }

    @Test func line38MappingsPlaceValues() async throws {
        let mapping = #"{"simple":"field","nested.one":"object.key","second":"x[1]"}"#
        let result = try await mapped(mapping, #"{"field":"v","object":{"key":true},"x":[1,2.50]}"#)
        #expect(result == #"{"simple":"v","nested":{"one":true},"second":2.50}"#)
    }

    @Test func line39ArraysAreMappedByTheirElements() async throws {
        let mapping = #"{"newArray[]":{"source":"object.list[]","mappings":{"a":"x","b.c":"y"}}}"#
        let result = try await mapped(mapping, #"{"object":{"list":[{"x":1,"y":2},{"x":3}]}}"#)
        #expect(result == #"{"newArray":[{"a":1,"b":{"c":2}},{"a":3}]}"#)
    }

    @Test func line40WhatIsMissingIsLeftOutAndAMalformedMappingEmpty() async throws {
        let missing = #"{"a":"gone","list[]":{"source":"gone[]","mappings":{"x":"y"}},"b":"field"}"#
        #expect(try await mapped(missing, #"{"field":1}"#) == #"{"b":1}"#)
        #expect(try await mapped(#"{"b":"field","wrong":17}"#, #"{"field":1}"#) == "{}")
        // A path with other characters fails the whole bundle, which is then not found.
        #expect(try await mapped(#"{"b":"fie-ld"}"#, #"{"field":1}"#) == nil)
    }
}
