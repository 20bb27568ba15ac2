import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import Singer

@Suite struct SingerTests {
    @Test func recordsOfAllStreamsAreGatheredAndTheNewestStateStandsBehindThem() {
        let told = read(
            #"""
            {"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"],"bookmark_properties":["at"]}
            {"type":"SCHEMA","stream":"b","schema":{},"key_properties":["x","y"]}
            {"type":"RECORD","stream":"a","record":{"id":1,"at":"2026-01-02"},"time_extracted":"2026-01-02T00:00:00Z"}
            {"type":"RECORD","stream":"b","record":{"x":1,"y":0.10}}
            {"type":"STATE","value":{"n":1}}
            {"type":"RECORD","stream":"a","record":{"id":12345678901234567890.12345678901234567890,"at":"2026-01-03"}}
            {"type":"STATE","value":{"n":2}}
            """#,
            wanted: ["a", "b"]
        )
        #expect(
            told == [
                #"a [id] to 2026-01-03 {"id":1,"at":"2026-01-02"} {"id":12345678901234567890.12345678901234567890,"at":"2026-01-03"}"#,
                #"b [x,y] {"x":1,"y":0.10}"#, #"state {"n":2}"#,
            ]
        )
    }

    @Test func recordsWithoutAStateBehindThemMayNeverComeAgain() {
        let head = #"{"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}"#
        let record = #"{"type":"RECORD","stream":"a","record":{"id":1}}"#
        #expect(read("\(head)\n\(record)") == [#"a once [id] {"id":1}"#])
        let behind = "\(head)\n\(record)\n{\"type\":\"STATE\",\"value\":1}\n\(record)"
        #expect(read(behind) == [#"a once [id] {"id":1} {"id":1}"#, "state 1"])
        #expect(read("\(head)\n\(record)", hasState: true) == [#"a once [id] {"id":1}"#])
        #expect(read("\(head)\n\(record)\n{\"type\":\"STATE\",\"value\":1}") == [#"a [id] {"id":1}"#, "state 1"])
    }

    @Test func aStateThatNoRecordPrecededWaitsForTheEnd() {
        let text = #"""
            {"type":"STATE","value":9}
            {"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}
            {"type":"RECORD","stream":"a","record":{"id":1}}
            """#
        #expect(read(text) == [#"a once [id] {"id":1}"#, "state 9"])
        #expect(read(text, endsWell: false) == [#"a once [id] {"id":1}"#])
    }

    @Test func aStateThatWasEarlyIsTakenBack() {
        var reading = SingerReading(wanted: ["a"], keyless: [], hasState: false)
        var told: [String] = []
        func take(_ text: String) {
            var gatherer = LineGatherer(limit: 1 << 20)
            gatherer.take(text + "\n")
            guard let batch = gatherer.batch() else { return }
            told += (reading.take(batch).events + reading.flush()).map(Self.text)
        }
        take(#"{"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}"#)
        take(#"{"type":"RECORD","stream":"a","record":{"id":1,"at":"2026-02-01T00:00:00Z"}}"#)
        take(#"{"type":"STATE","value":{"bookmarks":{"a":{"at":"2026-02-09T00:00:00Z"}}}}"#)
        take(#"{"type":"RECORD","stream":"a","record":{"id":2,"at":"2026-02-02T00:00:00Z"}}"#)
        take(#"{"type":"STATE","value":{"bookmarks":{"a":{"at":"2026-02-10T00:00:00Z"}}}}"#)
        #expect(
            told == [
                #"a once [id] {"id":1,"at":"2026-02-01T00:00:00Z"}"#,
                #"state {"bookmarks":{"a":{"at":"2026-02-09T00:00:00Z"}}}"#, "state as it was",
                #"a [id] {"id":2,"at":"2026-02-02T00:00:00Z"}"#,
            ]
        )
        #expect(reading.warnings.map(\.code.text) == ["program-state-early"])
        #expect(reading.warnings.first?.stream == "a")
        #expect(
            reading.finish(isWell: true).map(Self.text)
                == [#"state {"bookmarks":{"a":{"at":"2026-02-10T00:00:00Z"}}}"#]
        )
    }

    @Test(arguments: [
        ("half a lin", "line 3 of the program's output is not JSON: a value is expected"),
        (
            #"{"type":"RECORD","stream":"a"}"#,
            "line 3 of the program's output is a RECORD whose 'record' is not an object"
        ),
        (
            #"{"type":"RECORD","stream":"a","record":[]}"#,
            "line 3 of the program's output is a RECORD whose 'record' is not an object"
        ),
        (#"{"type":"RECORD","record":{}}"#, "line 3 of the program's output is a RECORD without a 'stream'"),
        (#"{"type":"STATE"}"#, "line 3 of the program's output is a STATE without a 'value'"),
        ("[]", "line 3 of the program's output is a JSON value without a 'type'"),
        (#"{"a":1},{"b":2}"#, "line 3 of the program's output is not JSON"),
        (
            #"{"type":"SCHEMA","stream":"a","key_properties":"id"}"#,
            "line 3 of the program's output is a SCHEMA whose 'key_properties' are not a list of names"
        ),
        (
            #"{"type":"BATCH","stream":"a","encoding":{},"manifest":[]}"#,
            "line 3 of the program's output hands over files (BATCH), which plughost does not read"
        ),
        (
            #"{"type":"RECORD","stream":"c","record":{}}"#,
            "line 3 of the program's output is a record of the stream 'c' before its SCHEMA"
        ),
        (
            #"{"type":"SCHEMA","stream":"a","schema":{},"key_properties":["other"]}"#,
            "line 3 of the program's output announces other key properties than before"
        ),
    ])
    func whatIsNoMessageIsNamedByItsLineAndWhatCameBeforeIsKept(_ line: String, _ message: String) {
        let told = read(
            """
            {"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}
            {"type":"RECORD","stream":"a","record":{"id":1}}
            \(line)
            {"type":"RECORD","stream":"a","record":{"id":2}}
            """,
            wanted: ["a", "c"],
            keyless: ["a"]
        )
        #expect(told.first == #"a once [id] {"id":1}"#)
        #expect(told.count == 2 && told.last?.hasPrefix("fault: \(message)") == true, "\(told)")
    }

    @Test("records of a stream that nobody reads are counted, also before its SCHEMA")
    func strangeRecords() {
        var reading = SingerReading(wanted: ["a"], keyless: [], hasState: true)
        var gatherer = LineGatherer(limit: 1 << 20)
        gatherer.take(
            """
            {"type":"RECORD","stream":"other","record":{"id":1}}
            {"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}
            {"type":"RECORD","stream":"a","record":{"id":1}}
            {"type":"RECORD","stream":"other","record":{"id":2}}
            {"type":"SCHEMA","stream":"other","schema":{},"key_properties":["id"]}
            {"type":"RECORD","stream":"other","record":{"id":3}}

            """
        )
        gatherer.finish()
        var told: [String] = []
        while let batch = gatherer.batch() {
            let (events, fault) = reading.take(batch)
            #expect(fault == nil)
            told += events.map(Self.text)
        }
        told += reading.finish(isWell: true).map(Self.text)
        #expect(told == [#"a once [id] {"id":1}"#])
        #expect(
            reading.warnings.map(\.message) == [
                "the program has sent 3 records of 'other', which the manifest does not name: they were not delivered, and its STATE is not kept"
            ]
        )
    }

    @Test func twoBrokenLinesMakeNoWholeOne() {
        let told = read(
            #"""
            {"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}
            {"type":"RECORD","stream":"a","record":{"id":[1
            2]}}
            """#
        )
        #expect(told.count == 1 && told[0].hasPrefix("fault: line 2 of the program's output is not JSON"))
    }

    @Test("two broken lines make no two whole ones either")
    func shiftedLines() {
        let head = #"{"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}"#
        let start = #"{"type":"RECORD","stream":"a","record":{"id":2"#
        let end = #""t":"x"}},{"type":"RECORD","stream":"a","record":{"id":3}}"#
        for blanks in ["", " \t"] {
            let told = read("\(head)\n\(blanks)\(start)\n\(blanks)\(end)\n")
            #expect(
                told.count == 1 && told[0].hasPrefix("fault: line 2 of the program's output is not JSON"),
                "\(told)"
            )
        }
    }

    @Test func aLineWithoutItsEndIsCutOffAndALongOneIsRefused() {
        var gatherer = LineGatherer(limit: 100)
        gatherer.take("{\"type\":\"STATE\",\"value\":1}\n{\"type\":\"REC")
        gatherer.finish()
        let batch = gatherer.batch()
        #expect(batch?.nodes.count == 1 && batch?.fault?.code == "program-message")
        #expect(
            batch?.fault?.message
                == "line 2 of the program's output is cut off: the program ended in the middle of it"
        )
        var long = LineGatherer(limit: 100)
        for _ in 0..<11 { long.take(String(repeating: "x", count: 10)) }
        #expect(long.batch()?.fault?.code == "program-line")
    }

    @Test("no state covers a record of a stream that the manifest neither names nor ignores", arguments: [false, true])
    func statesBesideStrangers(isIgnored: Bool) {
        var reading = SingerReading(wanted: ["a"], named: isIgnored ? ["a", "b"] : ["a"], keyless: [], hasState: true)
        var gatherer = LineGatherer(limit: 1 << 20)
        gatherer.take(
            """
            {"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}
            {"type":"SCHEMA","stream":"b","schema":{},"key_properties":["id"]}
            {"type":"RECORD","stream":"a","record":{"id":1}}
            {"type":"STATE","value":{"n":1}}
            {"type":"RECORD","stream":"b","record":{"id":2}}
            {"type":"STATE","value":{"n":2}}

            """
        )
        gatherer.finish()
        var told: [String] = []
        while let batch = gatherer.batch() { told += reading.take(batch).events.map(Self.text) }
        told += reading.finish(isWell: true).map(Self.text)
        #expect(told == [#"a [id] {"id":1}"#] + (isIgnored ? [#"state {"n":2}"#] : []))
        #expect(reading.warnings.map(\.code) == (isIgnored ? [] : ["program-stream-unused"]))
    }

    @Test func blankLinesAndCarriageReturnsAreNothing() {
        let head = "{\"type\":\"SCHEMA\",\"stream\":\"a\",\"schema\":{},\"key_properties\":[\"id\"]}\r\n\r\n \n"
        let record = "{\"type\":\"RECORD\",\"stream\":\"a\",\"record\":{\"id\":1}}\r\n\n"
        #expect(read(head + record) == [#"a once [id] {"id":1}"#])
    }

    @Test func recordsOfStreamsThatNobodyNamesAreCountedAndToldOf() {
        var reading = SingerReading(wanted: [], keyless: [], hasState: false)
        var gatherer = LineGatherer(limit: 1 << 20)
        gatherer.take(
            #"""
            {"type":"SCHEMA","stream":"a","schema":{},"key_properties":["id"]}
            {"type":"RECORD","stream":"a","record":{"id":1}}
            {"type":"ACTIVATE_VERSION","stream":"a","version":1}
            {"type":"NOISE"}

            """#
        )
        let events = gatherer.batch().map { reading.take($0).events } ?? []
        #expect(events.isEmpty && reading.finish(isWell: true).isEmpty)
        #expect(reading.activations == 1 && reading.announced == ["a"])
        #expect(
            reading.warnings.map(\.message) == [
                "the program has sent 1 record of 'a', which the manifest does not name: it was not delivered, and its STATE is not kept",
                "the program has written 1 message of the unknown type 'NOISE'",
            ]
        )
    }

    @Test("a line that is JSON alone and not in a batch is the one that is told of, and what stood before is given")
    func linesThatFitNoBatch() {
        let good =
            #"{"type": "SCHEMA", "stream": "a", "schema": {}, "key_properties": ["id"]}"#
            + "\n" + #"{"type": "RECORD", "stream": "a", "record": {"id": 1}}"# + "\n"
        let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        for (line, reason) in [
            (deep, "cannot be read: nested deeper than 128 levels"), ("\u{FEFF}{}", "is not JSON: a value is expected"),
        ] {
            #expect(
                read(good + line + "\n" + #"{"type": "STATE", "value": 1}"#) == [
                    #"a once [id] {"id": 1}"#, "fault: line 3 of the program's output \(reason)",
                ]
            )
        }
    }

    @Test func aNameThatIsTooLongIsRefused() {
        let name = String(repeating: "x", count: 1001)
        let schema = "{\"type\": \"SCHEMA\", \"stream\": \"\(name)\", \"schema\": {}, \"key_properties\": []}"
        #expect(read(schema) == ["fault: line 1 of the program's output names a stream with more than 1000 bytes"])
        let record = "{\"type\": \"RECORD\", \"stream\": \"\(name)\", \"record\": {}}"
        let stream = String(repeating: "x", count: 100)
        #expect(
            read(record) == [
                "fault: line 1 of the program's output is a record of the stream '\(stream)' before its SCHEMA"
            ]
        )
    }

    @Test func aKeyIsTheSameInAnotherOrderAndAnotherKeyIsRefused() {
        let text = #"""
            {"type": "SCHEMA", "stream": "a", "schema": {}, "key_properties": ["y", "x"]}
            {"type": "RECORD", "stream": "a", "record": {"x": 1, "y": 2}}
            {"type": "SCHEMA", "stream": "a", "schema": {}, "key_properties": ["x", "y"]}
            {"type": "RECORD", "stream": "a", "record": {"x": 3, "y": 4}}
            """#
        let page = #"{"x": 1, "y": 2} {"x": 3, "y": 4}"#
        #expect(read(text, keyless: ["a"]) == ["a once [y,x] \(page)"])
        #expect(read(text, keyless: ["a"], known: ["a": ["x", "y"]]) == ["a once [x,y] \(page)"])
        // Where none was known, or the manifest names one, there is nothing to compare with.
        #expect(read(text, keyless: ["a"], known: ["a": []]) == ["a once [y,x] \(page)"])
        #expect(read(text, known: ["a": ["z"]]) == ["a once [x,y] \(page)"])
        let changed =
            "line 1 of the program's output announces other key properties than before: 'y, x' instead of 'x'"
        #expect(read(text, keyless: ["a"], known: ["a": ["x"]]) == ["fault: \(changed)"])
    }

    @Test func aStateKnowsTheStreamsThatItWasMadeWith() {
        var reading = SingerReading(
            wanted: ["a", "b", "c"],
            keyless: ["a", "c"],
            known: ["c": ["k"]],
            hasState: false
        )
        var gatherer = LineGatherer(limit: 1 << 20)
        for stream in ["a", "b", "d"] {
            gatherer.take(
                "{\"type\": \"SCHEMA\", \"stream\": \"\(stream)\", \"schema\": {}, \"key_properties\": [\"id\"]}\n"
            )
        }
        while let batch = gatherer.batch() { _ = reading.take(batch) }
        #expect(reading.keys == ["a": ["id"], "b": [], "c": ["k"]])
        let state = SingerState(value: Array(#"{"at": 1.10}"#.utf8), streams: ["y": "b", "x": "x"], keys: reading.keys)
        let keys = #"{"a":["id"],"b":[],"c":["k"]}"#
        let text = #"{"plughost":1,"streams":{"x":"x","y":"b"},"keys":\#(keys),"state":{"at": 1.10}}"#
        #expect(String(decoding: state.bytes, as: UTF8.self) == text)
        #expect(SingerState(state.bytes) == state)
        #expect(state.covers("x", "x") && state.covers("y", "b"))
        #expect(!state.covers("y", "x") && !state.covers("z", "z"))
        // What earlier versions have kept.
        let listed = SingerState(Array(#"{"plughost":1,"streams":["x"],"keys":{},"state":5}"#.utf8))
        #expect(listed == SingerState(value: Array("5".utf8), streams: ["x": ""], keys: [:]))
        #expect(listed.covers("x", "any") && !listed.covers("y", "y"))
        let bare = Array(#"{"bookmarks": {}}"#.utf8)
        #expect(SingerState(bare) == SingerState(value: bare, streams: nil, keys: [:]))
        #expect(SingerState(bare).bytes == bare)
    }

    @Test("a line may have one value or mark per four bytes of the longest one, and 128 levels")
    func denseLines() throws {
        func fault(_ line: String) -> PlugError? {
            var gatherer = LineGatherer(limit: 4 << 20)
            gatherer.take("{}\n" + line + "\n")
            let batch = gatherer.batch()
            #expect(batch?.nodes.count == 1 || batch?.fault == nil)
            return batch?.fault
        }
        func zeros(_ count: Int) -> String { "[" + repeatElement("0", count: count).joined(separator: ",") + "]" }
        #expect(fault(zeros(700_000)) == nil)
        let dense = try #require(fault(zeros(1_000_000)))
        #expect(dense.code == "program-line")
        #expect(
            dense.message
                == "line 2 of the program's output has more values and punctuation marks than a line of 4096 KiB may have "
                + "(exec.limits.line)"
        )
        let deep = try #require(fault(String(repeating: "[", count: 200) + String(repeating: "]", count: 200)))
        #expect(deep.code == "program-message")
        #expect(deep.message.hasPrefix("line 2 of the program's output cannot be read: "))
    }

    @Test("of many streams and types that nobody names, the first are told of, and how many others there are")
    func manyStrangers() {
        var reading = SingerReading(wanted: [], keyless: [], hasState: false)
        var gatherer = LineGatherer(limit: 1 << 20)
        let long = String(repeating: "x", count: 200)
        for at in 0..<25 {
            let name = at == 0 ? long : "s\(at)"
            gatherer.take("{\"type\":\"SCHEMA\",\"stream\":\"\(name)\",\"schema\":{},\"key_properties\":[]}\n")
            for _ in 0...at % 3 {
                gatherer.take("{\"type\":\"RECORD\",\"stream\":\"\(name)\",\"record\":{}}\n")
            }
            gatherer.take("{\"type\":\"\(at == 0 ? long : "T\(at + 10)")\"}\n")
        }
        while let batch = gatherer.batch() { _ = reading.take(batch) }
        _ = reading.finish(isWell: true)
        let messages = reading.warnings.map(\.message)
        let cut = String(repeating: "x", count: 100)
        #expect(messages.count == 42)
        #expect(
            messages.first
                == "the program has sent 1 record of '\(cut)', which the manifest does not name: it was not delivered, and its STATE is not kept"
        )
        #expect(
            messages[20]
                == "the program has sent 10 records of 5 more streams, which the manifest does not name: they were not delivered, and its STATE is not kept"
        )
        #expect(messages[21] == "the program has written 1 message of the unknown type 'T11'")
        #expect(messages.last == "the program has written 5 messages of 5 more unknown types")
    }

    @Test("secrets are hidden before a name is cut: a part of one would not be recognised")
    func secretsInNames() {
        let secret = "ghp_16C7e42F292c6912"
        var reading = SingerReading(wanted: [], keyless: [], hasState: false) {
            $0.replacing(secret, with: "<redacted>")
        }
        var gatherer = LineGatherer(limit: 1 << 20)
        let name = String(repeating: "x", count: 95) + secret
        gatherer.take("{\"type\":\"\(name)\"}\n{\"type\":\"RECORD\",\"stream\":\"\(name)\",\"record\":{}}\n")
        while let batch = gatherer.batch() { _ = reading.take(batch) }
        _ = reading.finish(isWell: true)
        let shown = String(repeating: "x", count: 95) + "<reda"
        #expect(
            reading.warnings.map(\.message) == [
                "the program has sent 1 record of '\(shown)', which the manifest does not name: it was not delivered, and its STATE is not kept",
                "the program has written 1 message of the unknown type '\(shown)'",
            ]
        )
    }

    /// What a whole output leads to, in short.
    private func read(
        _ text: String,
        wanted: Set<String> = ["a"],
        keyless: Set<String> = [],
        known: [String: [String]] = [:],
        hasState: Bool = false,
        endsWell: Bool = true
    ) -> [String] {
        var reading = SingerReading(wanted: wanted, keyless: keyless, known: known, hasState: hasState)
        var gatherer = LineGatherer(limit: 1 << 20)
        gatherer.take(text + "\n")
        gatherer.finish()
        var told: [String] = []
        while let batch = gatherer.batch() {
            let (events, fault) = reading.take(batch)
            told += events.map(Self.text)
            if let fault { return told + ["fault: \(fault.message)"] }
        }
        return told + reading.finish(isWell: endsWell).map(Self.text)
    }

    private static func text(_ event: SingerEvent) -> String {
        switch event {
        case .state(let bytes): "state " + (bytes.map { String(decoding: $0, as: UTF8.self) } ?? "as it was")
        case .page(let page):
            ([page.stream] + (page.isOneShot ? ["once"] : []) + ["[\(page.key.joined(separator: ","))]"]
                + (page.watermark.map { ["to \($0.stringText ?? $0.compactText)"] } ?? [])
                + page.records.map { String(decoding: $0.slice, as: UTF8.self) }).joined(separator: " ")
        }
    }
}

extension LineGatherer {
    fileprivate mutating func take(_ text: String) { Array(text.utf8).withUnsafeBytes { take($0) } }
}
