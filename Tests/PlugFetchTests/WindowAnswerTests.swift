import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Windows and what services answer to them: 404 for nothing, what is outside, an answer without the list.
struct WindowAnswerTests {
    private static func yaml(_ since: String, records: String = ".items", stream: String = "") -> String {
        """
        http: {base: "https://api.test"}
        streams:
          boards: {request: {path: /boards}, records: ., key: .id}
          things:
            endpoint: t
            key: .id
            version: none
            request: {path: "/things\(stream.isEmpty ? "" : "/{{ board.id }}")"}
            records: '\(records)'
            since: \(since)
            \(stream)

        """
    }

    private static let bounds = "send: {query: {from: date}}, until: {query: {to: date}}"
    private static let months =
        "{field: .at, type: time, from: \"2026-05-02\", window: 30d, \(bounds)}"
    private static let child = "for_each: {in: boards, as: board}"

    private static func windows(_ source: Script) -> [String] {
        source.sent.compactMap { request in request.parameter("from").map { "\($0) \(request.parameter("to") ?? "-")" }
        }
    }

    @Test("a window that a rule skips is asked for once")
    func skippedWindow() async throws {
        let source = Script { request, _ in
            let from = request.parameter("from") ?? ""
            guard from.hasPrefix("2026-05") else { return .status(400) }
            return .json(#"{"items":[{"id":1,"at":"2026-05-03T01:00:00Z"}]}"#)
        }
        let bench = try Bench(
            Self.yaml("{field: .at, type: time, from: \"2026-05-02\", window: 90d, \(Self.bounds)}")
                .replacing("records: '.items'", with: "records: '.items'\n    on: [{status: 400, do: skip}]")
        )
        let reading = try await bench.read(from: source)
        #expect(reading.isComplete && reading.ids == [1])
        #expect(Self.windows(source) == ["2026-05-02 2026-07-31", "2026-07-31 2026-10-29", "2026-10-29 2026-11-21"])
    }

    @Test(
        "a window whose answer has no record is asked for once more where the answer is decoded",
        arguments: [
            (
                "{xml: {records: item}}", "<later/>",
                "<r><item><id>1</id><at>2026-05-03T01:00:00Z</at></item></r>"
            ),
            ("csv", "", "id,at\n1,2026-05-03T01:00:00Z\n"),
            ("jsonl", "", #"{"id":1,"at":"2026-05-03T01:00:00Z"}"#),
        ]
    )
    func busyDecodedWindow(format: String, busy: String, answer: String) async throws {
        let source = Script { _, index in .json(index == 0 ? busy : answer) }
        let bench = try Bench(
            Self.yaml("{field: .at, type: time, from: \"2026-05-02\", window: 900d, \(Self.bounds)}", records: ".")
                .replacing("records: '.'", with: "decode: \(format)")
        )
        let reading = try await bench.read(from: source)
        #expect(reading.isComplete && reading.error == nil && reading.records.count == 1)
        #expect(Self.windows(source) == ["2026-05-02 2026-11-21", "2026-05-02 2026-11-21"])
    }

    // MARK: - 404

    @Test("a window that is answered with 404 has nothing, and those after it are read")
    func noRecordsInAMonth() async throws {
        let source = Script { request, _ in
            if request.path == "/boards" { return .json(#"[{"id":1}]"#) }
            let from = request.parameter("from") ?? ""
            return from.hasPrefix("2026-07") ? .status(404) : .json(#"{"items":[{"id":1,"at":"\#(from)T01:00:00Z"}]}"#)
        }
        let states = MemoryStates()
        let bench = try Bench(Self.yaml(Self.months, stream: Self.child))
        let reading = try await bench.read(from: source, states)
        #expect(reading.isComplete && reading.ids.count == 5 && bench.events.warnings == [])
        #expect(
            Self.windows(source) == [
                "2026-05-02 2026-06-01", "2026-06-01 2026-07-01", "2026-07-01 2026-07-31", "2026-07-31 2026-08-30",
                "2026-08-30 2026-09-29", "2026-09-29 2026-10-29", "2026-10-29 2026-11-21",
            ]
        )
    }

    @Test("of a thing that is younger than the first window the last one is looked at")
    func youngBoard() async throws {
        let source = Script { request, _ in
            if request.path == "/boards" { return .json(#"[{"id":1}]"#) }
            let from = request.parameter("from") ?? ""
            return from < "2026-09" ? .status(404) : .json(#"{"items":[{"id":1,"at":"\#(from)T01:00:00Z"}]}"#)
        }
        let states = MemoryStates()
        let bench = try Bench(Self.yaml(Self.months, stream: Self.child))
        #expect(try await bench.read(from: source, states).ids.count == 2)
        #expect(Self.windows(source).count == 8 && Self.windows(source)[1] == "2026-10-22 2026-11-21")
    }

    @Test("what is gone in its first window and in its last is gone")
    func goneBoard() async throws {
        let source = Script { request, _ in request.path == "/boards" ? .json(#"[{"id":1}]"#) : .status(410) }
        let states = MemoryStates()
        let bench = try Bench(Self.yaml(Self.months, stream: Self.child))
        let reading = try await bench.read(from: source, states)
        #expect(reading.isComplete && reading.ids == [] && states.parts == [])
        #expect(Self.windows(source) == ["2026-05-02 2026-06-01", "2026-10-22 2026-11-21"])
        #expect(
            bench.events.messages == [
                "GET https://api.test/things/1 was answered with 410 in its first window and in its last and is left out"
            ]
        )
    }

    // MARK: - Records that do not belong to the window

    @Test("a service that ignores the bounds is told in the second window", arguments: [false, true])
    func ignored(isInteger: Bool) async throws {
        let since =
            isInteger
            ? "{field: .id, type: integer, from: -2000, window: 10, send: {query: {from: value}}, until: {query: {to: value}}}"
            : Self.months
        let source = Script(.json(#"{"items":[{"id":7,"at":"2026-11-20T00:00:00Z"}]}"#))
        let states = MemoryStates()
        let reading = try await Bench(Self.yaml(since)).read(from: source, states)
        let error = try #require(reading.error)
        #expect(error.code == "window-ignored" && error.exit == .data && source.sent.count == 2, "\(error)")
        #expect(error.message.contains("from beyond its window, and none from inside it"))
        #expect(states.value()?["watermark"] == nil)
    }

    @Test("a service that is not told where a window ends is read all the same, with a warning")
    func endIsNotSent() async throws {
        let since = "{field: .at, type: time, from: \"2026-05-02\", window: 90d, send: {query: {from: date}}}"
        let bench = try Bench(Self.yaml(since))
        let reading = try await bench.read(
            from: Script(.json(#"{"items":[{"id":7,"at":"2026-11-20T00:00:00Z"}]}"#))
        )
        #expect(reading.error == nil && reading.isComplete && Set(reading.ids) == [7])
        #expect(bench.events.warnings == ["window-ignored"])
    }

    @Test("numbers that are older than the window do not make the windows endless")
    func olderNumbers() async throws {
        let since =
            "{field: .id, type: integer, from: 1, window: 10, send: {query: {from: value}}, until: {query: {to: value}}}"
        // The service gives the record before the lower bound, too.
        let source = Script { request, _ in
            let from = Int(request.parameter("from") ?? "") ?? 0
            return .json(#"{"items":[{"id":\#(min(from - 1, 30))}]}"#)
        }
        let reading = try await Bench(Self.yaml(since)).read(from: source)
        #expect(reading.isComplete && reading.error == nil)
        #expect(Self.windows(source) == ["1 11", "11 -"])
    }

    // MARK: - Answers that prove nothing

    @Test("a window whose answer does not show its list is asked for once more")
    func emptyWindows() async throws {
        let source = Script { request, at in
            if at == 2 { return .json(#"{"error":"busy"}"#) }
            return request.parameter("from") == "2026-07-01"
                ? .json(#"{"items":[{"id":1,"at":"2026-07-03T01:00:00Z"}]}"#) : .json(#"{"items":[]}"#)
        }
        let bench = try Bench(Self.yaml(Self.months, records: ".items // []"))
        let reading = try await bench.read(from: source)
        #expect(reading.isComplete && reading.ids == [1])
        #expect(Self.windows(source).prefix(4).suffix(2) == ["2026-07-01 2026-07-31", "2026-07-01 2026-07-31"])
        #expect(source.sent.count == 8)
        // Where the list is never there, the manifest says that this means an empty one.
        let (silent, states) = (Script(.json("{}")), MemoryStates())
        #expect(try await bench.read(from: silent, states).isComplete)
        #expect(silent.sent.count == 14)
        // The first reading has waited for half a second.
        #expect(states.value()?["watermark"]?.compactText == #""2026-11-17T12:00:00.5Z""#)
    }

    @Test("what is older than its window does no harm: a calendar gives what overlaps it")
    func olderRecords() async throws {
        let source = Script(.json(#"{"items":[{"id":7,"at":"2020-01-01T00:00:00Z"}]}"#))
        let reading = try await Bench(Self.yaml(Self.months)).read(from: source)
        #expect(reading.isComplete && reading.error == nil && reading.ids.count == 7)
    }

    @Test("children that are answered with 404 in every window are told, also if they were there before")
    func allGoneLater() async throws {
        let states = MemoryStates()
        let bench = try Bench(Self.yaml(Self.months, stream: Self.child))
        let there = Script { request, _ in
            request.path == "/boards"
                ? .json(#"[{"id":1}]"#) : .json(#"{"items":[{"id":1,"at":"2026-11-20T01:00:00Z"}]}"#)
        }
        _ = try await bench.read(from: there, states)
        let gone = Script { request, _ in request.path == "/boards" ? .json(#"[{"id":1}]"#) : .status(404) }
        #expect(try await bench.read(from: gone, states).isComplete)
        #expect(bench.events.warnings.filter { $0 == "child-gone" }.count == 1)
    }

    // MARK: - Borders

    @Test("what lay between two granules at a border before the first fine time is read after all")
    func fineTimes() async throws {
        let since =
            "{field: .at, type: time, from: \"2026-11-20\", window: 12h, granule: 1s, send: {query: {from: epoch}}, "
            + "until: {query: {to: epoch}}}"
        let times: [(id: Int, at: Double)] = [(1, 1_795_176_000 - 0.3), (2, 1_795_180_000.5)]
        let source = Script { request, _ in
            let (from, to) = (Double(request.parameter("from") ?? "") ?? 0, Double(request.parameter("to") ?? "") ?? 0)
            let items = times.filter { from <= $0.at && $0.at <= to }
                .map { #"{"id":\#($0.id),"at":"\#(Timestamp(microseconds: Int64($0.at * 1_000_000)).rfc3339)"}"# }
            return .json(#"{"items":[\#(items.joined(separator: ","))]}"#)
        }
        let bench = try Bench(Self.yaml(since))
        let reading = try await bench.read(from: source)
        #expect(reading.isComplete && Set(reading.ids) == [1, 2])
        #expect(bench.events.warnings == ["granule-coarse"])
    }

    @Test("a border that the service cannot be told is moved to one that it can")
    func bordersAreWhatIsSent() async throws {
        let since =
            "{field: .at, type: time, from: \"2026-11-18T15:00:00Z\", window: 36h, send: {query: {from: epoch}}, "
            + "until: {query: {to: date}}}"
        let source = Script(.json(#"{"items":[]}"#))
        _ = try await Bench(Self.yaml(since)).read(from: source)
        // 2026-11-18T00:00:00Z and two days later.
        #expect(Self.windows(source) == ["1794960000 2026-11-20", "1795132800 2026-11-21"])
    }

    // MARK: - Limits

    @Test("a limit that is met at a page without records lets the next run go on behind it")
    func limitAtAnEmptyPage() async throws {
        let yaml =
            "http: {base: \"https://api.test\"}\nstreams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, "
            + "records: .items, page: {cursor: {from: .next, param: c}, max: 2}}}\n"
        let source = Script { request, _ in
            switch request.parameter("c") {
            case nil: .json(#"{"items":[{"id":1}],"next":"a"}"#)
            case "a": .json(#"{"items":[],"next":"b"}"#)
            default: .json(#"{"items":[{"id":2}],"next":null}"#)
            }
        }
        let states = MemoryStates()
        let first = try await Bench(yaml).read(from: source, states)
        #expect(first.error?.code == "page-limit" && first.ids == [1])
        let second = try await Bench(yaml).read(from: source, states)
        #expect(second.isComplete && second.ids == [2] && source.sent.count == 3)
    }

    @Test("what changes on a page that was read, while others are, is asked for by the next pass")
    func numbersOutOfOrder() async throws {
        let yaml =
            "http: {base: \"https://api.test\"}\nstreams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, "
            + "page: {cursor: {from: .next, param: c}}, records: .items, "
            + "since: {field: .seq, type: integer, send: {query: {after: value}}}}}\n"
        // By name: the second page holds the greatest number, and what changes on the first one meanwhile has a smaller one.
        let source = Script { request, _ in
            request.parameter("c") == nil
                ? .json(#"{"items":[{"id":1,"seq":9},{"id":2,"seq":5}],"next":"x"}"#)
                : .json(#"{"items":[{"id":3,"seq":12}],"next":null}"#)
        }
        let states = MemoryStates()
        #expect(try await Bench(yaml).read(from: source, states).isComplete)
        #expect(states.value()?["watermark"]?.compactText == "9")
    }
}
