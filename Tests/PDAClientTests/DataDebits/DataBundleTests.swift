import LosslessJSON
import PDAClient
import Testing

struct DataBundleTests {
    private func parsed(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch let error as PDAError { return error.description } catch { return "\(error)" }
        return nil
    }

    private func bundle(_ filter: DataFilter) -> DataBundle {
        DataBundle(name: "b", bundle: ["p": PropertyQuery(endpoints: [EndpointQuery("a/b", filters: [filter])])])
    }

    /// The documented filters, made in Swift and read.
    @Test(arguments: [
        (
            #"{"field":"steps.count","operator":{"operator":"between","lower":1000,"upper":9000}}"#,
            DataFilter(field: "steps.count", operator: .between(.integer(1000), .integer(9000)))
        ),
        (
            #"{"field":"when","transformation":{"transformation":"datetimeExtract","part":"hour"},"operator":{"operator":"between","lower":7,"upper":9}}"#,
            DataFilter(
                field: "when",
                transformation: .datetimeExtract("hour"),
                operator: .between(.integer(7), .integer(9))
            )
        ),
        (
            #"{"field":"ts","transformation":{"transformation":"timestampExtract","part":"dow"},"operator":{"operator":"in","value":[0,6]}}"#,
            DataFilter(
                field: "ts",
                transformation: .timestampExtract("dow"),
                operator: .in([.integer(0), .integer(6)])
            )
        ),
        (
            #"{"field":"body.text","transformation":{"transformation":"searchable"},"operator":{"operator":"find","search":"holiday"}}"#,
            DataFilter(field: "body.text", transformation: .searchable, operator: .find("holiday"))
        ),
        (
            #"{"field":"shared_on","transformation":{"transformation":"identity"},"operator":{"operator":"contains","value":"phata"}}"#,
            DataFilter(field: "shared_on", transformation: .identity, operator: .contains(.text("phata")))
        ),
        (
            #"{"field":"shared","operator":{"operator":"contains","value":true}}"#,
            DataFilter(field: "shared", operator: .contains(.bool(true)))
        ),
    ])
    func s27S28FiltersHaveFourTransformationsAndFourOperators(text: String, filter: DataFilter) throws {
        #expect(filter.json.compactText == text)
        let read = try DataFilter(json: try parsed(text))
        #expect(read == filter)
        #expect(read.operator?.kind == filter.operator?.kind)
        #expect(read.transformation?.kind == filter.transformation?.kind)
        try bundle(read).check()
    }

    @Test func s28AnUnknownOperatorIsNamed() throws {
        let text = #"""
            {"name":"b","bundle":{"p":{"endpoints":[
              {"endpoint":"a/b","filters":[{"field":"f","operator":{"operator":"like","value":1}}]}]}}}
            """#
        #expect(
            message { _ = try DataBundle(json: try parsed(text)) }
                == "'bundle.p.endpoints[0].filters[0].operator.operator' is the unknown operator 'like' (undecodable)"
                + "; use contains, in, between or find"
        )
        #expect(
            message { _ = try FilterTransformation(json: try parsed(#"{"transformation":"upper"}"#)) }
                == "'transformation' is the unknown transformation 'upper' (undecodable)"
                + "; use identity, datetimeExtract, timestampExtract or searchable"
        )
        #expect(
            message { _ = try FilterOperator(json: try parsed(#"{"operator":"between","lower":1}"#)) }
                == "'upper' is missing (undecodable)"
        )
    }

    @Test func s27FindWithoutSearchableIsRefusedWithTheReason() {
        let ignored = "a PDA ignores such a filter and gives every record"
        #expect(
            message { try bundle(DataFilter(field: "f", operator: .find("x"))).check() }
                == "'bundle.p.endpoints[0].filters[0]' has the operator find without the transformation searchable"
                + " (invalid_request); \(ignored); add the transformation searchable"
        )
        let other = DataFilter(field: "f", transformation: .identity, operator: .find("x"))
        #expect(message { try bundle(other).check() }?.contains(ignored) == true)
        let reverse = DataFilter(field: "f", transformation: .searchable, operator: .contains(.text("x")))
        #expect(message { try bundle(reverse).check() }?.contains("searchable without the operator find") == true)
    }

    @Test func whatWasStoredByOthersCanStillBeRead() throws {
        let text = #"{"field":"f","operator":{"operator":"find","search":"x","operators":[]},"x":1}"#
        #expect(try DataFilter(json: try parsed(text)).json.compactText == text)
        let plain = #"{"field":"f"}"#
        let filter = try DataFilter(json: try parsed(plain))
        #expect(filter.json.compactText == plain)
        #expect(
            message { try bundle(filter).check() }?.hasPrefix("'bundle.p.endpoints[0].filters[0].operator' is missing")
                == true
        )
    }

    @Test func anOperatorThatChangesLeavesNothingBehind() throws {
        var held = try FilterOperator(json: try parsed(#"{"operator":"between","lower":1,"upper":2,"x":3}"#))
        held.kind = .contains(.integer(4))
        #expect(held.json.compactText == #"{"operator":"contains","x":3,"value":4}"#)
        var part = try FilterTransformation(json: try parsed(#"{"transformation":"datetimeExtract","part":"hour"}"#))
        part.kind = .identity
        #expect(part.json.compactText == #"{"transformation":"identity"}"#)
    }

    @Test func s25S26ABundleIsPropertiesOfEndpointsWithLinks() throws {
        let bundle = DataBundle(
            name: "weekly",
            bundle: [
                "notes": PropertyQuery(
                    endpoints: [
                        EndpointQuery(
                            "diary/notes",
                            mapping: ["text": "body.text"],
                            links: [EndpointQuery("diary/places")]
                        )
                    ],
                    orderBy: "created",
                    ordering: .descending,
                    limit: 50
                ),
                "steps": PropertyQuery(endpoints: [EndpointQuery("steps/daily")]),
            ]
        )
        let text = #"""
            {"name":"weekly","bundle":{"notes":{"endpoints":[{"endpoint":"diary/notes","mapping":{"text":"body.text"},"links":[{"endpoint":"diary/places"}]}],"orderBy":"created","ordering":"descending","limit":50},"steps":{"endpoints":[{"endpoint":"steps/daily"}]}}}
            """#
        #expect(bundle.json.compactText == text)
        #expect(try DataBundle(json: try parsed(text)) == bundle)
        try bundle.check()
    }

    @Test func mappingsNest() throws {
        let text = #"{"a":"x[1].y","b[]":{"source":"z[]","mappings":{"c":"d"}}}"#
        var mapping = DataMapping(json: try parsed(text))
        #expect(mapping["a"] == .field("x[1].y"))
        #expect(mapping["b[]"] == .nested(field: "z[]", mapping: ["c": "d"]))
        mapping["b[]"] = .nested(field: "z[]", mapping: ["c": "e"])
        mapping["a"] = nil
        #expect(mapping.json.compactText == #"{"b[]":{"source":"z[]","mappings":{"c":"e"}}}"#)
    }

    @Test(arguments: [
        (#"{"name":"b c","bundle":{}}"#, "'name' is not a name"),
        (#"{"name":"","bundle":{}}"#, "'name' is not a name"),
        (#"{"name":"b","bundle":{"p":{"endpoints":[]}}}"#, "'bundle.p.endpoints' is empty"),
        (
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"a"}]}}}"#,
            "'bundle.p.endpoints[0].endpoint' is not an endpoint"
        ),
        (
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"A/b"}]}}}"#,
            "'bundle.p.endpoints[0].endpoint' is not an endpoint"
        ),
        (
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"/a/b"}]}}}"#,
            "'bundle.p.endpoints[0].endpoint' is not an endpoint"
        ),
        (
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"a/b"}],"ordering":"down"}}}"#,
            "'bundle.p.ordering' is neither ascending nor descending"
        ),
        (#"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"a/b"}],"limit":-1}}}"#, "'bundle.p.limit' is negative"),
        (
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"a/b","links":[]}]}}}"#,
            "'bundle.p.endpoints[0].links' is empty"
        ),
        (
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"a/b","links":[{"endpoint":"c"}]}]}}}"#,
            "'bundle.p.endpoints[0].links[0].endpoint' is not an endpoint"
        ),
        (
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"a/b","mapping":{"a":1}}]}}}"#,
            "'bundle.p.endpoints[0].mapping' has at 'a' neither a field nor an object of 'source' and 'mappings'"
        ),
        (
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"a/b","mapping":"a"}]}}}"#,
            "'bundle.p.endpoints[0].mapping' should be an object, not a string"
        ),
    ])
    func whatAPDAWouldNotDoIsRefused(text: String, beginning: String) throws {
        let bundle = try DataBundle(json: try parsed(text))
        let found = message { try bundle.check() }
        #expect(found?.hasPrefix("\(beginning) (invalid_request)") == true, "\(found ?? "nothing")")
    }
}
