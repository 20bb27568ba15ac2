import LosslessJSON
import PlugCore
import PlugManifest
import Testing

@testable import PlugNormalise

/// `unknown` and `raw`.
struct RecordMembersTests {
    private static let input =
        #"[{"id":"1","b":1.0,"a":"\u00e9\"","more":{"z":1,"y":[1e400]}},{"a":null,"id":"2","b":12345678901234567890,"b":3},"#
        + #"{"id":"3","a":"\u0000"},{"id":"4","a":{"_id":1},"raw2":true}]"#

    /// The records by a program of paths, by the engine's way and without a program.
    private func normalise(_ lines: [String], map: String?) throws -> NormalisedPage {
        let lines = ["key: .id", "version: none", "fields: {id: any, b: decimal}"] + lines
        let maps =
            map.map { [["map: '\($0)'"], ["map: '. as $r | \($0)'"]] } ?? [[], ["map: ."], ["map: '. as $r | $r'"]]
        let pages = try maps.map { try StreamBench(lines + $0).normalise(Self.input) }
        let first = try #require(pages.first)
        for page in pages {
            #expect(page.block == first.block)
            #expect(page.findings == first.findings)
            #expect(page.repaired == first.repaired)
            #expect(page.deadLetters == [])
        }
        return first
    }

    private func texts(_ page: NormalisedPage) -> [String] {
        page.block.entries.map { String(decoding: page.block.bytes[$0.range], as: UTF8.self) }
    }

    @Test func unknownMembersAreDropped() throws {
        let dropped = [
            #"{"_id":"demo/items/1","b":1.0,"id":"1"}"#, #"{"_id":"demo/items/2","b":3,"id":"2"}"#,
            #"{"_id":"demo/items/3","id":"3"}"#,
            #"{"_id":"demo/items/4","id":"4"}"#,
        ]
        let whole = try normalise(["unknown: drop"], map: nil)
        #expect(texts(whole) == dropped)
        #expect(
            whole.findings.warnings(try StreamBench(["key: .id"]).stream, in: try StreamBench(["key: .id"]).manifest)
                == []
        )
        let mapped = try normalise(["unknown: drop"], map: "{id: .id, b: .b, a: .a, c: .more.z}")
        #expect(texts(mapped).prefix(2) == dropped.prefix(2))
        #expect(texts(mapped).last == #"{"_id":"demo/items/4","b":null,"id":"4"}"#)
    }

    @Test func unknownMembersAreReportedOnceAndKept() throws {
        let bench = try StreamBench(["key: .id", "version: none", "fields: {id: any, b: decimal}", "unknown: report"])
        var findings = RecordFindings()
        for _ in 0..<2 { findings.add(try normalise(["unknown: report"], map: nil).findings) }
        let warnings = findings.warnings(bench.stream, in: bench.manifest)
        #expect(warnings.map(\.code.text) == ["unknown-members"])
        #expect(
            warnings.first?.message
                == "plug.yaml:13:5: records have members that 'fields' does not name: 'a', 'more', 'raw2'"
        )
        #expect(texts(try normalise(["unknown: report"], map: nil)) == texts(try normalise([], map: nil)))
        let members = (0..<60).map { "\"m\($0)\u{1}\":1" }.joined(separator: ",")
        let many = try bench.normalise("[{\"id\":1,\(members)}]".replacing("\u{1}", with: "\\u0007"))
        let message = try #require(many.findings.warnings(bench.stream, in: bench.manifest).first?.message)
        #expect(
            message.hasSuffix(" and more") && message.contains("'m49") && !message.contains("'m50")
                && !message.contains("\u{7}")
        )
    }

    @Test func theSourcesRecordGoesBesideTheMappedOne() throws {
        #expect(
            texts(try normalise(["raw: keep"], map: "{id: .id, b: .b}")) == [
                #"{"_id":"demo/items/1","b":1.0,"id":"1","raw":{"a":"é\"","b":1.0,"id":"1","more":{"y":[1e400],"z":1}}}"#,
                #"{"_id":"demo/items/2","b":3,"id":"2","raw":{"a":null,"b":3,"id":"2"}}"#,
                #"{"_id":"demo/items/3","b":null,"id":"3","raw":{"a":"\#u{FFFD}","id":"3"}}"#,
                #"{"_id":"demo/items/4","b":null,"id":"4","raw":{"a":{"_id":1},"id":"4","raw2":true}}"#,
            ]
        )
        #expect(try normalise(["raw: keep", "unknown: drop"], map: nil).block.entries.count == 4)
    }

    /// `printf '{"a":null,"b":3,"id":"2"}' | sha256sum`
    @Test func aHashIsOfTheCanonicalForm() throws {
        let page = try normalise(["raw: hash"], map: "{id: .id, b: .b}")
        #expect(
            texts(page)[1]
                == #"{"_id":"demo/items/2","b":3,"id":"2","raw":"6f438ce459c0533664333fe9dad47bca548fb659852eb2adc667d6ea3d2d1d37"}"#
        )
    }

    @Test func aMemberOfThatNameIsADeadLetter() throws {
        let bench = try StreamBench(["key: .id", "version: none", "raw: keep"])
        let page = try bench.normalise(#"[{"id":1,"raw":null},{"id":2},{"id":3}]"#)
        #expect(page.deadLetters.map(\.code) == ["raw-taken"])
        #expect(bench.records(page).first == #"{"_id":"demo/items/2","id":2,"raw":{"id":2}}"#)
        // What is left out is not there.
        let dropping = try StreamBench(["key: .id", "version: none", "raw: keep", "unknown: drop", "fields: {id: any}"])
        #expect(
            dropping.records(try dropping.normalise(#"[{"id":1,"raw":2}]"#)) == [
                #"{"_id":"demo/items/1","id":1,"raw":{"id":1,"raw":2}}"#
            ]
        )
    }

    @Test func anIdentityOfTheRecordsOwnIsNotDropped() throws {
        let bench = try StreamBench(["key: .id", "version: none", "unknown: drop", "fields: {id: any}"])
        let page = try bench.normalise(#"[{"id":1,"_id":2},{"id":2},{"id":3}]"#)
        #expect(page.deadLetters.map(\.code) == ["identity-taken"])
    }

    @Test func rawIsHiddenWhereSomethingIsSensitive() throws {
        let lines = ["key: .id", "version: none", "fields: {a: {any, sensitive: true}}"]
        #expect(try StreamBench(lines + ["raw: keep"]).stream.hidden.names == ["a", "raw"])
        #expect(try StreamBench(lines + ["raw: hash"]).stream.hidden.names == ["a"])
        #expect(try StreamBench(["key: .id", "version: none", "raw: keep"]).stream.hidden.isEmpty)
    }

    @Test(arguments: [
        (["unknown: drop"], "unknown-needs-fields"), (["unknown: report", "fields: {}"], "unknown-needs-fields"),
        (["unknown: drp"], "wrong-value"),
        (["raw: keep", "fields: {raw: any}"], "raw-member"), (["raw: hash", "map: '{id, raw: .x}'"], "raw-member"),
        (["raw: all"], "wrong-value"),
    ])
    func mistakesAreTold(lines: [String], code: String) {
        let errors = StreamBench.read(["key: .id", "version: none"] + lines).diagnostics.filter {
            $0.severity == .error
        }
        #expect(errors.map(\.code.text) == [code])
    }

    /// Where nothing of the kind is wanted, nothing is looked at; and a page is sampled only where that is asked for.
    @Test func aPageIsSampledWhereItIsAskedFor() throws {
        let bench = try StreamBench(["key: .id", "version: none"])
        let records = (1...30).map { "{\"id\":\($0),\"a\":{\"b\":1}}" }.joined(separator: ",")
        #expect(try bench.normalise("[\(records)]").shape == SourceShape())
        let sampled = try bench.normalise("[\(records)]", sampled: 400).shape
        #expect(sampled.records == 20)
        #expect(
            Set(sampled.names.map { String(decoding: $0.name, as: UTF8.self) }) == ["id", "a", "a\u{0}b"]
                && sampled.names.allSatisfy(\.isEverywhere)
        )
        #expect(try bench.normalise("[\(records)]", sampled: 7).shape.records == 7)
    }

    @Test func keepNeedsNothing() {
        #expect(
            StreamBench.read(["key: .id", "version: none", "unknown: keep"]).diagnostics.filter {
                $0.severity == .error
            } == []
        )
    }
}
