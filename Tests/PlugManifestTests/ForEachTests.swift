import JQ
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// What `for_each` may say, and what it is told where it may not.
struct ForEachTests {
    @Test(arguments: [
        ("{in: boards, unchanged: skip}", "", ""),
        (
            "{in: boards, unchanged: skip}", "since: {field: .at, type: time}",
            "'unchanged: skip' and 'since' cannot be used together"
        ),
        (
            "{in: boards, unchanged: skip}", "deletes: {missing: true}",
            "'unchanged: skip' and 'deletes: {missing: true}' cannot be used together"
        ),
        (
            "{in: boards, unchanged: skip}", "page: {link: next}",
            "'unchanged: skip' and 'page: {link: …}' cannot be used together"
        ),
        (
            "[{in: boards, as: a, unchanged: skip}, {list: [1], as: b}]", "",
            "'unchanged: skip' needs a 'for_each' of one part"
        ),
        ("{in: boards, unchanged: skip, group: 5}", "", "'group' and 'unchanged' cannot be used together in for_each"),
    ])
    func whatIsUnchangedIsSkippedOnlyWhereOnePageIsAll(each: String, line: String, message: String) {
        let text =
            Sample.header + Sample.http + "streams:\n  boards: {request: {path: /b}, key: .id, version: none}\n"
            + "  cards:\n    endpoint: c\n    request: {path: /c}\n    key: .id\n    version: .v\n    for_each: \(each)\n"
            + "    \(line)\n"
        #expect(Sample.read(text).diagnostics.map(\.message) == (message.isEmpty ? [] : [message]))
    }

    /// Streams that others may be read for, and one that is read for what `forEach` says.
    private static func read(_ forEach: String, child: String = "", path: String = "/c") -> ManifestResult {
        Sample.read(
            Sample.header + Sample.http + """
                config: {ids: {type: list}, key: {type: string, secret: true}}
                streams:
                  a: {request: {path: /a}, key: .id}
                  b: {request: {path: /b}, key: .id, since: {field: .at, type: time}}
                  c: {request: {path: "/a/{{ parent.id }}"}, key: .id, for_each: {in: a, as: one}}
                  d: {request: {path: /d}, key: .id, for_each: {in: a, as: one}, since: {field: .at, type: time}}
                  e: {request: {path: /e}, key: .id, for_each: {in: b, only: changed}}
                  f: {key: .id, for_each: {in: e, inside: .parts, only: changed}}
                  child:
                    endpoint: children
                    request: {path: "\(path)"}
                    key: [.id]
                    version: none
                    for_each: \(forEach)

                """ + (child.isEmpty ? "" : "    \(child)\n")
        )
    }

    @Test(
        arguments: [
            ("{in: a}", [nil]), ("{in: a, as: parent}", [nil]), ("{in: a, as: x}", ["x"]),
            ("{in: c, as: x}", ["one", "x"]),
            ("{list: [1, b, {id: 2}], as: x}", ["x"]), ("{list: '{{ config.ids }}', as: x}", ["x"]),
            ("[{list: [1], as: y}, {in: c, as: x}]", ["y", "one", "x"]),
            ("{any_of: [{in: c}, {list: [1]}], as: x}", ["x"]), ("{in: c, as: x, group: 50}", ["x"]),
            ("{in: b, as: x, only: changed, skip_if: .done}", ["x"]), ("{in: d, as: x, only: changed}", ["one", "x"]),
            ("{in: e, as: x, only: changed}", [nil, "x"]), ("{in: f, as: x, only: changed}", [nil, nil, "x"]),
        ] as [(String, [String?])]
    )
    func theNamesOfAllLevelsAreKnown(forEach: String, lineage: [String?]) throws {
        let manifest = try Sample.manifest(Self.read(forEach))
        #expect(manifest.stream("child")?.parent?.lineage == lineage)
    }

    @Test func programsAndTemplatesSeeTheNamesOfAllLevels() throws {
        let result = Self.read(
            "[{list: [1], as: year}, {in: c, as: x, skip_if: '.id == year and one.id == 1'}]",
            child: "map: '{id, year: year, x: x.id, one: one.id, p: parent.id}'",
            path: "/{{ year }}/{{ one.id }}/{{ x.id }}"
        )
        #expect(Sample.print(result) == "")
    }

    @Test(
        arguments: [
            ("{as: x}", "missing-kind", "for_each does not say which kind it is"),
            ("{in: a, list: [1]}", "two-kinds", "'list' and 'in' cannot be used together in for_each"),
            ("{in: z}", "unknown-stream", "there is no stream 'z'"),
            ("{any_of: [{in: z}, {list: [1]}]}", "unknown-stream", "there is no stream 'z'"),
            ("{any_of: [{in: a}]}", "wrong-value", "'any_of' has nothing to choose from"),
            ("{list: a}", "wrong-type", "'list' must be a list, not a text"),
            (
                "[{in: a, as: x, inside: .x}, {list: [1], as: y}]", "two-kinds",
                "'inside' cannot be in one of several parts of 'for_each'"
            ),
            ("{list: []}", "wrong-value", "'list' must be a list with elements, not an empty one"),
            ("{list: {a: 1}}", "wrong-value", "'list' must be a list with elements, not a mapping"),
            (
                "{list: [true]}", "wrong-type",
                "an element of 'list' must be a text, a number or a mapping, not a boolean"
            ),
            ("{list: [[1]]}", "wrong-type", "an element of 'list' must be a text, a number or a mapping, not a list"),
            ("{list: '{{ config.idz }}'}", "unknown-config", "there is no config key 'idz'"),
            (
                "{list: '{{ [config.key] }}'}", "secret-in-program",
                "the secret 'config.key' is used in a program over records"
            ),
            ("{list: '{{ [parent.id] }}'}", "root-unavailable", "'parent' has no value in 'for_each.list'"),
            ("[]", "wrong-value", "'for_each' is empty"),
            ("a", "wrong-type", "'for_each' must be a mapping, not a text"),
            ("[{list: [1]}, {in: a, as: x}]", "missing-key", "'as' is missing in a part of 'for_each'"),
            ("[{list: [1], as: x}, {in: a, as: x}]", "bad-name", "'x' names two parts of 'for_each'"),
            ("[{list: [1], as: parent}, {in: a, as: x}]", "bad-name", "'parent' cannot name the parent"),
            ("{in: a, only: changed}", "only-changed", "'only: changed' needs 'since' in the parent stream 'a'"),
            ("{list: [1], only: changed}", "only-changed", "'only: changed' needs a single parent stream"),
            (
                "[{list: [1], as: x}, {in: b, as: y, only: changed}]", "only-changed",
                "'only: changed' needs a single parent stream"
            ),
            (
                "{in: c, only: changed}", "only-changed",
                "'only: changed' needs 'since' in the parent stream 'c', or 'only: changed' in its 'for_each'"
            ),
            ("{in: b, only: new}", "wrong-value", "'new' is not a value of 'only'"),
            ("{in: a, group: 1}", "out-of-range", "'group' must be from 2 to 1000"),
            ("{in: a, skip_if: 'x.id'}", "jq-syntax", "x/0 is not defined"),
            (
                "{in: a, skip_if: 'parent.id'}", "root-unavailable",
                "'parent' has no value in 'skip_if', a program over the parent's record"
            ),
        ]
    )
    func whatItMayNotSayIsTold(forEach: String, code: String, message: String) {
        let result = Self.read(forEach)
        #expect(result.diagnostics.map(\.code.text) == [code], "\(Sample.print(result))")
        #expect(result.diagnostics.map(\.message) == [message])
        #expect(result.diagnostics.allSatisfy { $0.location?.line == 21 })
    }

    @Test func aGroupHasNoPositionsOfItsOwn() {
        let result = Self.read("{in: a, group: 50}", child: "since: {field: .at, type: time}")
        #expect(Sample.places(result) == ["21:23 group-since"])
    }

    @Test func aStreamIsReadForSixteenOthersAtMost() throws {
        let part = { (number: Int) in "{list: [1], as: n\(number)}" }
        let most = "[" + (1...16).map(part).joined(separator: ", ") + "]"
        #expect(Self.read(most).diagnostics.isEmpty)
        let more = "[" + (1...17).map(part).joined(separator: ", ") + "]"
        #expect(Self.read(more).diagnostics.map(\.code.text) == ["for-each-too-deep"])
    }

    @Test("streams that double with each level are refused, and cost no time")
    func doubling() {
        var text = Sample.header + Sample.http + "streams:\n  s0: {request: {path: /a}, key: .id}\n"
        for number in 1...60 {
            let source = "{in: s\(number - 1)}"
            text += "  s\(number): {request: {path: /a}, key: .id, for_each: {any_of: [\(source), \(source)]}}\n"
        }
        #expect(Set(Sample.read(text).diagnostics.map(\.code.text)) == ["for-each-too-deep"])
    }

    @Test func circlesThroughSeveralPartsAreTold() {
        let text = """
            streams:
              a: {request: {path: /a}, key: .id, for_each: [{list: [1], as: x}, {in: b, as: y}]}
              b: {request: {path: /b}, key: .id, for_each: {any_of: [{list: [1]}, {in: a}]}}

            """
        let result = Sample.read(Sample.header + Sample.http + text)
        #expect(result.diagnostics.map(\.message) == ["the streams depend on each other: a → b → a"])
    }

    @Test(
        arguments: [
            ("{list: [1], inside: .x}", ["two-kinds: 'inside' and 'list' cannot be used together in for_each"]),
            ("{in: a, inside: .x, group: 9}", ["two-kinds: 'group' and 'inside' cannot be used together in for_each"]),
            ("{in: a, inside: .x}", []),
            ("{in: a, inside: '.x['}", ["jq-syntax: the program ends too early"]),
        ]
    )
    func whatStandsInsideNeedsNoRequest(forEach: String, others: [String]) {
        let result = Self.read(forEach)
        let told = result.diagnostics.map { "\($0.code.text): \($0.message)" }
        #expect(
            told.sorted()
                == (others + ["unknown-key: 'request' is not a key of a stream with 'for_each.inside'"]).sorted()
        )
    }

    @Test func defaultsOfRequestsAreNotForWhatStandsInside() throws {
        let manifest = try Sample.manifest(
            Sample.read(
                Sample.header + Sample.http + """
                    defaults: {page: {link: next}, records: .items, version: none, request: {query: {a: b}}}
                    streams:
                      a: {request: {path: /a}, key: .id}
                      child: {endpoint: c, key: .id, for_each: {in: a, inside: .parts}}

                    """
            )
        )
        let child = try #require(manifest.stream("child"))
        #expect(
            child.request == nil && child.paging == nil && child.records.source == ".parts" && child.declaresVersion
        )
    }
}
