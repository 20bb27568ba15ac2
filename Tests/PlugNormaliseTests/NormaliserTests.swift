import LosslessJSON
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugNormalise

struct NormaliserTests {
    /// A normaliser for a stream with these lines in its manifest.
    private func normaliser(_ lines: [String]) throws -> Normaliser {
        let text =
            """
            plug: demo
            api: 1
            version: 1.0.0
            namespace: demo
            hosts: [api.example.org]
            config: {user: {type: string, default: ada}}
            http: {base: "https://api.example.org"}
            streams:
              items:
                endpoint: items
                request: {path: /items}

            """ + lines.map { "    \($0)\n" }.joined()
        let result = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
        let errors = result.diagnostics.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors)")
        let manifest = try #require(result.manifest)
        let stream = try #require(manifest.streams.first)
        return try #require(Normaliser(stream, config: .object(["user": .text("ada")])))
    }

    private func page(_ json: String) throws -> FetchedPage {
        let document = try JSONDocument(bytes: Array(json.utf8))
        let records = try #require(document.root.elements)
        return FetchedPage(records: records, states: [:], origin: "https://api.example.org/items")
    }

    private func records(_ page: NormalisedPage) -> [String] {
        page.block.entries.map { String(decoding: page.block.bytes[$0.range], as: UTF8.self) }
    }

    /// Programs made of paths alone must not go past the check that a record is an object.
    @Test(
        arguments: ["[.id, .name]", "[.tags[]]", "5", ".a | [.id]", ".a | 5", ".name"],
        ["identity: off", "key: [.id]"]
    )
    func refusesWhatIsNoObject(_ map: String, _ identity: String) throws {
        let normaliser = try normaliser([identity, "map: '\(map)'"])
        let page = try page(#"[{"id":1,"name":"x","tags":[1],"a":{"id":1}}]"#)
        let error = #expect(throws: PlugError.self) { _ = try normaliser.normalise(page) }
        #expect(error?.message.firstMatch(of: /instead of (one|an) object/) != nil, "\(error?.message ?? "")")
    }

    @Test(arguments: ["identity: off", "key: [.id]"])
    func dropsWhatIsNull(_ identity: String) throws {
        for map in ["'null'", ".nothing"] {
            let page = try normaliser([identity, "map: \(map)"]).normalise(page(#"[{"id":1}]"#))
            #expect(page.dropped == 1 && page.block.entries.isEmpty)
        }
    }

    /// Of what is sent without an `_id`, the key still says what it is about.
    @Test func knowsThingsWithoutIdentities() throws {
        let page = try page(#"[{"id":1,"of":"a,b"},{"of":"c"},{"id":[1]},{"id":"é"}]"#)
        func things(_ lines: [String]) throws -> [String] {
            let block = try normaliser(["identity: off"] + lines).normalise(page).block
            #expect(block.entries.count == 4)
            #expect(block.identities.isEmpty)
            return block.entries.indices.map { String(decoding: block.thing($0), as: UTF8.self) }
        }
        #expect(try things(["key: [.id]", "version: .of"]) == ["1", "", "", "é"])
        #expect(try things(["key: [.of, .id]"]) == ["a%2Cb,1", "", "", ""])
        #expect(try things([]) == ["", "", "", ""])
    }

    @Test func reportsAPageThatDoesNotFitWithoutItsValues() throws {
        let normaliser = try normaliser(["key: [.id]", "map: '{n: (.n + 1)}'"])
        let error = #expect(throws: PlugError.self) { _ = try normaliser.normalise(page(#"[{"id":1,"n":"secret"}]"#)) }
        #expect(
            error?.message
                == "plug.yaml:13:5: 1 of 1 records from https://api.example.org/items do not fit the manifest: "
                + "'map' failed: string and number cannot be added"
        )
    }

    @Test func givesADeadLetterAReasonWithoutValues() throws {
        let normaliser = try normaliser(["key: [.id]", "map: '{n: (.n + 1)}'"])
        let page = try normaliser.normalise(page(#"[{"id":1,"n":"x"},{"id":2,"n":2}]"#))
        #expect(page.deadLetters.map(\.reason) == ["'map' failed: string and number cannot be added"])
    }

    @Test func endsBetweenTwoRecordsWhenItsTaskIsCancelled() async throws {
        let normaliser = try normaliser(["key: [.id]", "map: '{id: .id, n: ([range(.id)] | add)}'"])
        let page = try page(#"[{"id":1},{"id":2}]"#)
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return #expect(throws: PlugError.self) { _ = try normaliser.normalise(page) }
        }.value
        #expect(error?.code == "interrupted")
        #expect(error?.exit == .interrupted)
    }

    @Test func writesCanonicalRecordsWithTheirIdentity() throws {
        let normaliser = try normaliser([
            "key: [.id]", "version: .updated", "map: '{title: .t, id: .id, tags: [.tags[].name], Zone: 1.10}'",
        ])
        let page = try normaliser.normalise(
            page(#"[{"id":9007199254740993,"updated":"u1","t":"a\/b","tags":[{"name":"x"},{"name":"y"}]}]"#)
        )
        #expect(
            records(page) == [
                #"{"Zone":1.10,"_id":"demo/items/9007199254740993@u1","id":9007199254740993,"tags":["x","y"],"title":"a/b"}"#
            ]
        )
        #expect(String(decoding: page.block.identities, as: UTF8.self) == "demo/items/9007199254740993@u1")
    }

    @Test(arguments: [
        "{a: .x, b: .y.z, c: [.l[]], d: [.l[].n], e: .l[0], f: .l[-1], g: {h: .x, i: null, j: \"k\"}}", ".", ".y",
        "{_x: .x, Y: .y, \"é\": .l, a: (.y | .z)}", "{a: .y | {z}, b: .[\"x\"]}", "{}",
    ])
    func projectionAndEngineGiveTheSameBytes(map: String) throws {
        let input =
            #"[{"id":"1","x":1.0,"y":{"z":"\u00e9\"","b":[ 1 , 2 ],"a":{}},"l":[{"n":1},{"n":1e400}]},"#
            + #"{"id":"2","x":{"b":1,"a":2,"b":3},"y":{"z":null},"l":[]},"#
            + #"{"id":"3","x":"\u0000\ud800","y":{},"l":[{"m":1}]},{"id":"4\"\u0007","y":{"id":4},"l":[{"n":null}]},"#
            + #"{"id":"5","x":"plain","y":{"z":true},"l":[{"n":-1}]}]"#
        let fast = try normaliser(["key: [.id]", "version: none", "map: '\(map)'"]).normalise(page(input))
        // A binding is more than a path, so this is the engine's.
        let slow = try normaliser(["key: [.id]", "version: none", "map: '. as $r | \(map)'"]).normalise(page(input))
        #expect(records(fast) == records(slow))
        #expect(records(fast).count == 5)
    }

    @Test func keepsKeysOfSeveralPartsApart() throws {
        let normaliser = try normaliser(["key: [.a, .b]", "version: .v"])
        let page = try normaliser.normalise(
            page(#"[{"a":"x,y","b":"z","v":1},{"a":"x","b":"y,z","v":null},{"a":"100%","b":"u@h","v":2}]"#)
        )
        let ids = page.block.entries.map { String(decoding: page.block.identities[$0.identity], as: UTF8.self) }
        #expect(ids == ["demo/items/x%2Cy,z@1", "demo/items/x,y%2Cz", "demo/items/100%25,u%40h@2"])
    }

    /// The PDA compares the text that it was sent, in which there is no NUL. Two keys that it cannot hold stay two.
    @Test func namesARecordAsItIsSent() throws {
        let normaliser = try normaliser(["key: [.id]", "version: none", "map: '{id: .id}'"])
        let page = try normaliser.normalise(page(#"[{"id":"a\u0000b"},{"id":"a\ud800b"},{"id":"a\ud801b"}]"#))
        let ids = page.block.entries.map { String(decoding: page.block.identities[$0.identity], as: UTF8.self) }
        #expect(ids == ["\\u0000", "\\ud800", "\\ud801"].map { "demo/items/\u{FFFD}a\($0)b" })
        #expect(
            records(page)
                == ["\\\\u0000", "\\\\ud800", "\\\\ud801"].map {
                    "{\"_id\":\"demo/items/\u{FFFD}a\($0)b\",\"id\":\"a\u{FFFD}b\"}"
                }
        )
    }

    @Test func aComputedKeyWithANULIsNotTheOneWithAReplacement() throws {
        let normaliser = try normaliser(["key: ['(.id + \"\")']", "version: none", "map: '{id: .id}'"])
        let page = try normaliser.normalise(page(#"[{"id":"a\u0000b"},{"id":"a\ufffdb"}]"#))
        let ids = page.block.entries.map { String(decoding: page.block.identities[$0.identity], as: UTF8.self) }
        #expect(ids == ["demo/items/a\u{FFFD}0000b", "demo/items/a\u{FFFD}b"])
    }

    @Test(arguments: [".id", ". as $r | $r.id"]) func givesEachValueOfANumberOneIdentity(key: String) throws {
        let normaliser = try normaliser(["key: ['\(key)']", "version: none"])
        let texts = [
            "1e20", "100000000000000000000", "1\(String(repeating: "0", count: 60))", "1e60", "1.0", "-0",
            "1e99999999999999999999", "1e99999999999999999998",
        ]
        let page = try normaliser.normalise(page("[\(texts.map { "{\"id\":\($0)}" }.joined(separator: ","))]"))
        let ids = page.block.entries.map { String(decoding: page.block.identities[$0.identity], as: UTF8.self) }
        #expect(
            ids.map { $0.dropFirst("demo/items/".count) } == [
                "100000000000000000000", "100000000000000000000", "1e60", "1e60", "1", "0",
                "1e99999999999999999999", "1e99999999999999999998",
            ]
        )
    }

    /// What is gone often has nothing but the word that it is gone.
    @Test(arguments: [
        "drop_if: .deleted", "map: 'if .deleted then null else {id} end'",
        "map: 'if .deleted then empty else {id} end'",
    ])
    func dropsBeforeItAsksForAKey(line: String) throws {
        let normaliser = try normaliser(["key: [.id]", "version: none", line])
        let page = try normaliser.normalise(page(#"[{"deleted":true},{"deleted":true},{"id":1}]"#))
        #expect(records(page) == [#"{"_id":"demo/items/1","id":1}"#])
        #expect(page.dropped == 2)
        #expect(page.deadLetters.isEmpty)
    }

    @Test func castsDropsAndKeepsDeadLetters() throws {
        let normaliser = try normaliser([
            "key: [.id]", "version: none", "drop_if: '.hidden'", "map: '{at: .at, n: .n, id: .id}'",
            "fields: {at: time, n: integer}",
        ])
        let page = try normaliser.normalise(
            page(
                #"[{"id":1,"at":"2026-11-21T05:08:00.120+01:00","n":"12345678901234567890"},{"id":2,"hidden":true},"#
                    + #"{"id":3,"at":"soon","n":1},{"id":null},{"id":5,"at":1542782400,"n":2.0}]"#
            )
        )
        #expect(
            records(page) == [
                #"{"_id":"demo/items/1","at":"2026-11-21T04:08:00.120Z","id":1,"n":12345678901234567890}"#,
                #"{"_id":"demo/items/5","at":"2018-11-21T06:40:00Z","id":5,"n":2}"#,
            ]
        )
        #expect(page.dropped == 1)
        #expect(page.deadLetters.map(\.code) == ["cast-failed", "key-null"])
        #expect(
            page.deadLetters.map(\.reason) == [
                "'at' is a string that is not a time (of the form \"aaaa\"); "
                    + #"say how it is written, as in 'at: {time: {format: "%d %b %Y"}}'"#,
                "'key' gives null for this record",
            ]
        )
        #expect(
            page.deadLetters.map(\.record) == [Array(#"{"id":3,"at":"soon","n":1}"#.utf8), Array(#"{"id":null}"#.utf8)]
        )
    }

    @Test func aKeyOfEmptyTextsTellsNothingApart() throws {
        let normaliser = try normaliser(["key: [.id, .part]", "version: none"])
        let page = try normaliser.normalise(
            page(#"[{"id":"","part":"a"},{"id":"","part":""},{"id":"1","part":""}]"#)
        )
        #expect(
            records(page) == [
                #"{"_id":"demo/items/,a","id":"","part":"a"}"#, #"{"_id":"demo/items/1,","id":"1","part":""}"#,
            ]
        )
        #expect(page.deadLetters.map(\.reason) == ["'key' gives an empty text for this record"])
    }

    @Test func aBrokenRecordIsADeadLetterUnlessMostAre() throws {
        let normaliser = try normaliser(["key: [.id]", "version: none"])
        let broken = FetchedPage.Broken(reason: "line 3: it is not JSON", record: Array(#"{"line":3}"#.utf8))
        var page = try page(#"[{"id":1}]"#)
        page.broken = [broken]
        let normalised = try normaliser.normalise(page)
        #expect(normalised.block.entries.count == 1)
        #expect(
            normalised.deadLetters == [
                DeadLetter(
                    stage: .normalise,
                    code: "record-broken",
                    reason: "\(page.origin): \(broken.reason)",
                    record: broken.record,
                    identity: ""
                )
            ]
        )
        page.broken = [broken, broken]
        #expect {
            try normaliser.normalise(page)
        } throws: { error in
            let error = error as? PlugError
            return error?.code == .recordsDoNotFit && error?.message.contains("2 of 3 records") == true
        }
        // The last part of an answer whose others were good.
        page.preceding = 1000
        #expect(try normaliser.normalise(page).deadLetters.count == 2)
        (page.preceding, page.broken) = (1, [broken, broken, broken])
        #expect {
            try normaliser.normalise(page)
        } throws: { error in
            let advice = (error as? PlugError)?.advice
            return advice?.hasSuffix("the answer's records before these (1) are delivered, or dead letters") == true
        }
    }

    @Test("the blocks of an answer are judged together")
    func blocksOfAnAnswer() throws {
        let normaliser = try normaliser(["key: [.id]", "version: none", "map: '.m'"])
        var answer = AnswerRecords()
        func letters(_ json: String, after preceding: Int) throws -> Int {
            var page = try page(json)
            page.preceding = preceding
            return try normaliser.normalise(page, among: &answer).deadLetters.count
        }
        let (good, bad) = (#"{"id":1,"m":{}}"#, #"{"id":2,"m":2}"#)
        #expect(try letters("[\(good),\(good)]", after: 0) == 0)
        #expect(try letters("[\(bad),\(bad)]", after: 2) == 2)
        #expect(try letters("[\(bad),\(good)]", after: 4) == 1)
        let error = #expect(throws: PlugError.self) { try letters("[\(bad)]", after: 6) }
        #expect(error?.message.contains("4 of 7 records from") == true)
        // The next answer is another one.
        #expect(try letters("[\(good),\(bad)]", after: 0) == 1)
    }

    @Test func endsTheRunWhereMostOfAPageDoesNotFit() throws {
        let normaliser = try normaliser(["key: [.id]", "version: none", "map: '.m'"])
        #expect(
            throws: PlugError(
                .recordsDoNotFit,
                "plug.yaml:14:5: 2 of the first 2 of 3 records from https://api.example.org/items do not fit the "
                    + "manifest: 'map' gives a value of type number instead of an object",
                advice: "correct the stream in the manifest and run again; nothing of this page was delivered",
                stream: "items",
                reach: .item
            )
        ) {
            try normaliser.normalise(page(#"[{"id":1,"m":1},{"id":2,"m":2},{"id":3,"m":{}}]"#))
        }
    }

    @Test(arguments: ["{id: .id, t: .t}", "{id: .id, t: (.t + \"\")}"]) func countsWhatItRepairs(map: String) throws {
        let page = try normaliser(["key: [.id]", "version: none", "map: '\(map)'"])
            .normalise(page(#"[{"id":1,"t":"a\u0000b\udc00"}]"#))
        #expect(records(page) == ["{\"_id\":\"demo/items/1\",\"id\":1,\"t\":\"a\u{FFFD}b\u{FFFD}\"}"])
        #expect(page.repaired == 2)
    }

    @Test func refusesToHideAMemberOfTheSameName() throws {
        let normaliser = try normaliser(["key: [.id]", "version: none"])
        let page = try normaliser.normalise(page(#"[{"id":1,"_id":"mine"},{"id":2}]"#))
        #expect(records(page) == [#"{"_id":"demo/items/2","id":2}"#])
        #expect(page.deadLetters.map(\.code) == ["identity-taken"])
    }

    /// Records of several documents, more of them than between two looks at the task, some dropped and some failing.
    @Test(arguments: ["{id: .id, b: .b}", ". as $r | {id: .id, b: .b}"])
    func keepsRecordsAndIdentitiesTogether(map: String) throws {
        let normaliser = try normaliser([
            "key: [.id]", "version: none", "drop_if: .drop == true", "map: '\(map)'", "fields: {b: integer}",
        ])
        func record(_ number: Int) -> String {
            switch number {
            case 62, 65: #"{"id":\#(number),"drop":true}"#
            case 63, 64: #"{"id":\#(number),"b":"no number"}"#
            case 66: #"{"id":null}"#
            default: #"{"id":\#(number),"b":"\#(number * 2)"}"#
            }
        }
        let documents = try [0, 1].map { parity in
            let texts = (0..<140).filter { $0 % 2 == parity }.map(record)
            return try #require(JSONDocument(bytes: Array("[\(texts.joined(separator: ","))]".utf8)).root.elements)
        }
        // First each document's records among the other's, then each document whole.
        let mixed = zip(documents[0], documents[1]).flatMap { [$0, $1] }
        for (records, order) in [
            (mixed, Array(0..<140)),
            (documents[0] + documents[1], Array(stride(from: 0, to: 140, by: 2)) + stride(from: 1, to: 140, by: 2)),
        ] {
            let page = try normaliser.normalise(FetchedPage(records: records, states: [:], origin: "https://api"))
            let kept = order.filter { !(62...66).contains($0) }
            #expect(self.records(page) == kept.map { #"{"_id":"demo/items/\#($0)","b":\#($0 * 2),"id":\#($0)}"# })
            let identities = page.block.entries.map {
                String(decoding: page.block.identities[$0.identity], as: UTF8.self)
            }
            #expect(identities == kept.map { "demo/items/\($0)" })
            #expect(page.dropped == 2)
            let failed = order.filter { [63, 64, 66].contains($0) }
            #expect(page.deadLetters.map(\.code) == failed.map { $0 == 66 ? "key-null" : "cast-failed" })
            #expect(page.deadLetters.map { String(decoding: $0.record, as: UTF8.self) } == failed.map(record))
        }
    }

    /// A key is what it stands for, however it is written, and of a repeated one the last value counts.
    @Test(arguments: ["{a: .a, b: .c.b}", ". as $r | {a: .a, b: .c.b}"])
    func findsMembersByWhatTheirKeysStandFor(map: String) throws {
        let input =
            #"[{"id":1,"a":1,"\u0061":2,"c":{"b":1,"\u0062":3}},{"id":2,"\u0061":1,"a":"2","c":{"\u0062":1,"b":"3"}}]"#
        let page = try normaliser(["key: [.id]", "version: none", "map: '\(map)'"]).normalise(page(input))
        #expect(
            records(page) == [#"{"_id":"demo/items/1","a":2,"b":3}"#, #"{"_id":"demo/items/2","a":"2","b":"3"}"#]
        )
    }

    /// A cast of what the record does not have is left out, `_id` among it.
    @Test(arguments: ["{a: .a}", ". as $r | {a: .a}"]) func leavesOutCastsOfMissingMembers(map: String) throws {
        let normaliser = try normaliser([
            "key: [.id]", "version: none", "map: '\(map)'", "fields: {_id: integer, z: integer}",
        ])
        let page = try normaliser.normalise(page(#"[{"id":1,"a":"x","lost":"\ud800"}]"#))
        #expect(records(page) == [#"{"_id":"demo/items/1","a":"x"}"#])
    }
}
