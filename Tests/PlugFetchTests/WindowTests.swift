import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

struct WindowTests {
    private static func yaml(_ since: String, _ request: String = "{path: /t}") -> String {
        "http: {base: \"https://api.test\"}\nstreams: {things: {endpoint: t, key: .id, version: none, request: \(request), "
            + "records: .items, page: {cursor: {from: .next, param: c}}, since: \(since)}}\n"
    }
    private static func times(_ more: String, format: String = "date", type: String = "time") -> String {
        "{field: .at, type: \(type), from: \"2026-09-01\", send: {query: {from: \(format)}}, until: {query: {to: \(format)}}, "
            + "window: 30d\(more)}"
    }
    private static let integers =
        "{field: .id, type: integer, from: \"1\", send: {query: {from: value}}, until: {query: {to: value}}, window: 100"

    private static func windows(_ source: Script) -> [String] {
        source.sent.map { "\($0.parameter("from") ?? "-") \($0.parameter("to") ?? "-")" }
    }
    private static var nothing: Script { Script(.json(#"{"items":[]}"#)) }

    @Test(arguments: [
        (", granule: 1d", ["2026-09-01 2026-09-30", "2026-10-01 2026-10-30", "2026-10-31 2026-11-21"]),
        ("", ["2026-09-01 2026-10-01", "2026-10-01 2026-10-31", "2026-10-31 2026-11-21"]),
        (", bounds: closed", ["2026-09-01 2026-09-30", "2026-10-01 2026-10-30", "2026-10-31 2026-11-21"]),
        (", bounds: open", ["2026-08-31 2026-10-01", "2026-09-30 2026-10-31", "2026-10-30 2026-11-22"]),
        (", settle: 30d", ["2026-09-01 2026-10-01", "2026-10-01 2026-10-22"]),
        (", to: \"2026-10-15\"", ["2026-09-01 2026-10-01", "2026-10-01 2026-10-15"]),
        (", to: \"{{ now | minus(\\\"60d\\\") }}\"", ["2026-09-01 2026-09-22"]),
        (", to: \"{{ \\\"\\\" }}\"", ["2026-09-01 2026-10-01", "2026-10-01 2026-10-31", "2026-10-31 2026-11-21"]),
        (", to: \"{{ null }}\"", ["2026-09-01 2026-10-01", "2026-10-01 2026-10-31", "2026-10-31 2026-11-21"]),
        (", to: \"2030-01-01\"", ["2026-09-01 2026-10-01", "2026-10-01 2026-10-31", "2026-10-31 2026-11-21"]),
        // Before its beginning there is nothing.
        (", to: \"2026-08-01\"", ["2026-09-01 2026-09-01"]),
    ])
    func asksForOneWindowAfterTheOther(more: String, windows: [String]) async throws {
        let source = Self.nothing
        let reading = try await Bench(Self.yaml(Self.times(more))).read(from: source)
        #expect(reading.isComplete && reading.error == nil)
        #expect(Self.windows(source) == windows)
    }

    @Test("the watermark stays at an end of the manifest's, and the next pass goes on there when it is later")
    func endsAndGoesOn() async throws {
        func yaml(_ end: String) -> String { Self.yaml(Self.times(", to: \"\(end)\"")) }
        let states = MemoryStates()
        let source = Script { request, _ in
            .json(#"{"items":[{"id":1,"at":"\#(request.parameter("from") ?? "")T06:00:00Z"}]}"#)
        }
        _ = try await Bench(yaml("2026-09-20")).read(from: source, states)
        #expect(Self.windows(source) == ["2026-09-01 2026-09-20"])
        _ = try await Bench(yaml("2026-09-20")).read(from: source, states)
        #expect(states.value()?["watermark"]?.stringText.map { $0 <= "2026-09-20T00:00:00Z" } == true)
        _ = try await Bench(yaml("2026-10-05")).read(from: source, states)
        let last = try #require(Self.windows(source).last)
        #expect(last.hasPrefix("2026-09-") && last.hasSuffix("2026-10-05"), "\(Self.windows(source))")
        // An end that was taken back is no reason to go beyond the place that was reached.
        _ = try await Bench(yaml("2026-09-10")).read(from: source, states)
        #expect(Self.windows(source).last.map { $0.split(separator: " ")[0] == $0.split(separator: " ")[1] } == true)
    }

    @Test("a window begins where the service can be told of, also where 'from' is more exact")
    func beginsAtAGranule() async throws {
        for (more, from) in [
            ("", "2026-09-01T00:00:00Z"), (", bounds: open", "2026-08-31T23:59:59Z"),
            (", bounds: open, granule: 1d", "2026-08-31T00:00:00Z"), (", granule: 1ms", "2026-09-01T00:00:00.123Z"),
        ] {
            let source = Self.nothing
            let yaml = Self.yaml(Self.times(more, format: "time"))
                .replacing("from: \"2026-09-01\"", with: "from: \"2026-09-01T00:00:00.123456Z\"")
            _ = try await Bench(yaml).read(from: source)
            #expect(source.sent.first?.parameter("from")?.replacing("%3A", with: ":") == from, "\(more)")
        }
    }

    @Test("a closed window of seconds ends a second before the next one")
    func closedSeconds() async throws {
        let source = Self.nothing
        _ = try await Bench(Self.yaml(Self.times(", granule: 1s", format: "epoch"))).read(from: source)
        #expect(Self.windows(source) == ["1788220800 1790812799", "1790812800 1793404799", "1793404800 1795262400"])
    }

    @Test func eachCompleteWindowMovesTheWatermark() async throws {
        let bench = try Bench(Self.yaml(Self.times("")))
        let states = MemoryStates()
        let source = Script { request, _ in
            request.parameter("from") == "2026-09-01" && request.parameter("c") == nil
                ? .json(#"{"items":[{"id":1,"at":"2026-09-03T00:00:00Z"}],"next":"x"}"#) : .json(#"{"items":[]}"#)
        }
        _ = try await bench.read(from: source, states, pages: 1)
        #expect(
            states.text()
                == #"{"v":1,"pass":{"lower":"2026-09-01T00:00:00Z","upper":"2026-11-21T12:00:00Z","max":"2026-09-03T00:00:00Z","#
                + #""window":{"from":"2026-09-01T00:00:00Z","to":"2026-10-01T00:00:00Z","next":"2026-10-01T00:00:00Z","records":true},"#
                + #""began":1795262400000000,"place":{"token":"x"},"pages":1,"seen":1,"last":1,"anchor":"#
                + (states.value()?["pass"]?["anchor"]?.compactText ?? "") + "}}"
        )
        _ = try await bench.read(from: source, states, pages: 1)
        #expect(states.value()?["watermark"]?.stringText == "2026-10-01T00:00:00Z")
        #expect(states.value()?["pass"]?["place"]?.isNull == true)
        #expect(states.value()?["pass"]?["window"]?["from"]?.stringText == "2026-10-01T00:00:00Z")
        _ = try await bench.read(from: source, states)
        // The last days before the pass are not believed to be empty: the clock may be wrong.
        #expect(states.text() == #"{"v":1,"watermark":"2026-11-17T12:00:00Z"}"#)
        #expect(
            Self.windows(source) == [
                "2026-09-01 2026-10-01", "2026-09-01 2026-10-01", "2026-10-01 2026-10-31", "2026-10-31 2026-11-21",
            ]
        )
    }

    @Test("the source's clock limits what a window without records proves")
    func sourceClock() async throws {
        let bench = try Bench(Self.yaml(Self.times("")))
        let states = MemoryStates()
        let source = Script(.json(#"{"items":[]}"#, HTTPHeader("Date", "Thu, 15 Oct 2026 00:00:00 GMT")))
        _ = try await bench.read(from: source, states)
        #expect(states.text() == #"{"v":1,"watermark":"2026-10-15T00:00:00Z"}"#)
    }

    @Test("an interrupted window that the source does not know any more starts over, and no other")
    func placeRefused() async throws {
        let bench = try Bench(Self.yaml(Self.times("")))
        let states = MemoryStates()
        let source = Script { request, at in
            if at > 1, request.parameter("c") != nil { return .status(410) }
            return request.parameter("from") == "2026-10-01" && at == 1
                ? .json(#"{"items":[{"id":1,"at":"2026-10-03T00:00:00Z"}],"next":"x"}"#) : .json(#"{"items":[]}"#)
        }
        _ = try await bench.read(from: source, states, pages: 2)
        let rest = try await bench.read(from: source, states)
        #expect(rest.error == nil && rest.isComplete)
        #expect(
            Self.windows(source).dropFirst(2) == [
                "2026-10-01 2026-10-31", "2026-10-01 2026-10-31", "2026-10-31 2026-11-21",
            ]
        )
        #expect(bench.events.warnings == ["place-refused"])
    }

    @Test("numbers are asked for behind a window without records, to the end")
    func integers() async throws {
        let bench = try Bench(Self.yaml(Self.integers + "}"))
        let states = MemoryStates()
        let ids = [3, 150, 205, 999]
        let source = Script { request, _ in
            let from = Int(request.parameter("from") ?? "") ?? 0
            let to = request.parameter("to").flatMap { Int($0) } ?? .max
            let found = ids.filter { $0 >= from && $0 <= to }.map { "{\"id\":\($0)}" }
            return .json("{\"items\":[\(found.joined(separator: ","))]}")
        }
        let reading = try await bench.read(from: source, states)
        #expect(reading.ids == ids)
        #expect(Self.windows(source) == ["1 101", "101 201", "201 301", "301 401", "401 -"])
        #expect(states.text() == #"{"v":1,"watermark":999}"#)
        _ = try await bench.read(from: source, states)
        #expect(Self.windows(source).dropFirst(5) == ["999 1099", "1099 1199", "1199 -"])
    }

    @Test func closedNumbersHaveNoneInCommon() async throws {
        let source = Script { request, _ in
            request.parameter("from") == "1" ? .json(#"{"items":[{"id":7}]}"#) : .json("{\"items\":[]}")
        }
        _ = try await Bench(Self.yaml(Self.integers + ", granule: 1}")).read(from: source)
        #expect(Self.windows(source) == ["1 100", "101 200", "201 -"])
    }

    @Test("times between two granules make windows share their borders")
    func coarseGranule() async throws {
        let bench = try Bench(Self.yaml(Self.times(", granule: 1s", format: "epoch")))
        let source = Script { request, at in
            at == 0 ? .json(#"{"items":[{"id":1,"at":"2026-09-03T00:00:00.5Z"}]}"#) : .json(#"{"items":[]}"#)
        }
        _ = try await bench.read(from: source)
        #expect(Self.windows(source) == ["1788220800 1790812799", "1790812799 1793404799", "1793404799 1795262400"])
        #expect(bench.events.warnings == ["granule-coarse"])
    }

    @Test func templatesKnowBothBounds() async throws {
        let request =
            "{method: POST, path: \"/days/{{ since | time(\\\"%Y/%m/%d\\\") }}\", query: {to: \"{{ until | time(\\\"date\\\") }}\"}, "
            + "json: {filter: {user: ada}}}"
        let since =
            "{field: .at, type: time, from: \"2026-09-01\", window: 30d, send: {json: {filter.at.from: \"%Y-%m-%d %H:%M:%S\", since: epoch}}, "
            + "until: {header: {X-Until: epoch_us}}}"
        let source = Self.nothing
        let reading = try await Bench(Self.yaml(since, request)).read(from: source)
        #expect(reading.error == nil)
        #expect(source.sent[1].path == "/days/2026%2F10%2F01")
        #expect(source.sent[1].parameter("to") == "2026-10-31")
        #expect(source.sent[1].header("X-Until") == "1793404800000000")
        #expect(
            source.sent[1].body.map { String(decoding: $0, as: UTF8.self) }
                == #"{"filter":{"user":"ada","at":{"from":"2026-10-01 00:00:00"}},"since":1790812800}"#
        )
    }

    @Test func aBoundBelowSomethingThatIsNoObjectIsAnError() async throws {
        let since = "{field: .at, type: time, from: \"2026-09-01\", send: {json: {user.from: epoch}}}"
        // What stands in the manifest as it is, 'validate' finds.
        let request = "{method: POST, path: /t, json: {user: \"{{ now }}\"}}"
        let reading = try await Bench(Self.yaml(since, request)).read(from: Self.nothing)
        #expect(reading.error?.code == "body-not-object")
        #expect(
            reading.error?.message == "the parameter 'user.from' goes into the JSON body, and 'user' is no object there"
        )
    }

    @Test("too many windows, and a start that is null, are errors before anything is asked")
    func errors() async throws {
        let source = Self.nothing
        let small = Self.times("", format: "epoch").replacing("window: 30d", with: "window: 1m")
        let reading = try await Bench(Self.yaml(small)).read(from: source)
        #expect(reading.error?.code == "window-too-small" && reading.error?.exit == .configuration)
        #expect(reading.error?.message.contains("117360 windows") == true, "\(reading.error?.message ?? "")")
        let null = Self.times("").replacing("\"2026-09-01\"", with: "\"{{ config.start // null }}\"")
        let other = try await Bench("config: {start: {type: string}}\n" + Self.yaml(null)).read(from: source)
        #expect(other.error?.code == "window-needs-start" && other.error?.exit == .configuration)
        #expect(source.sent.isEmpty)
    }

    @Test("a start in the future is one window")
    func future() async throws {
        let source = Self.nothing
        var bench = try Bench(Self.yaml(Self.times("")))
        bench.options.since = "2027-01-01"
        #expect(try await bench.read(from: source).isComplete)
        #expect(Self.windows(source) == ["2027-01-01 2027-01-01"])
    }

    @Test("a state from before there were windows, and one from when there were, begin anew at the watermark")
    func otherStates() async throws {
        let states = MemoryStates()
        let plain = try Bench(Self.yaml(Self.times("").replacing(", window: 30d", with: "")))
        let source = Script(.json(#"{"items":[{"id":1,"at":"2026-09-03T00:00:00Z"}],"next":"x"}"#))
        _ = try await plain.read(from: source, states, pages: 1)
        let windows = try Bench(Self.yaml(Self.times("")))
        _ = try await windows.read(from: source, states, pages: 1)
        _ = try await plain.read(from: source, states, pages: 1)
        #expect(Self.windows(source) == ["2026-09-01 2026-11-21", "2026-09-01 2026-10-01", "2026-09-01 2026-11-21"])
        #expect(source.sent.allSatisfy { $0.parameter("c") == nil })
    }

    @Test("the overlap is taken off before the first window")
    func overlap() async throws {
        let states = MemoryStates()
        let bench = try Bench(Self.yaml(Self.times(", overlap: 10d")))
        let source = Script { request, _ in
            request.parameter("to") == "2026-11-21"
                ? .json(#"{"items":[{"id":1,"at":"2026-11-20T00:00:00Z"}]}"#) : .json(#"{"items":[]}"#)
        }
        _ = try await bench.read(from: source, states)
        _ = try await bench.read(from: source, states)
        #expect(states.text() == #"{"v":1,"watermark":"2026-11-20T00:00:00Z"}"#)
        #expect(Self.windows(source).last == "2026-11-10 2026-11-21")
    }

    @Test("a pass without the field fails with its first window and proves nothing")
    func fieldMissing() async throws {
        let states = MemoryStates()
        let source = Script(.json(#"{"items":[{"id":1}]}"#))
        let reading = try await Bench(Self.yaml(Self.times(""))).read(from: source, states)
        #expect(reading.error?.code == "since-field-missing")
        #expect(source.sent.count == 1)
        #expect(states.text() == #"{"v":1}"#)
    }

    // MARK: - Children

    private static let family =
        "http: {base: \"https://api.test\"}\nstreams:\n"
        + "  users: {request: {path: /users}, records: ., key: .id}\n"
        + "  days: {endpoint: d, key: .id, version: none, for_each: {in: users}, request: {path: \"/users/{{ parent.id }}/days\"}, "
        + "records: .items, page: {cursor: {from: .next, param: c}}, "

    @Test("each child has its windows and its watermark")
    func children() async throws {
        let bench = try Bench(Self.family + "since: \(Self.times(""))}\n")
        let states = MemoryStates()
        let source = Script { request, _ in
            if request.path == "/users" { return .json(#"[{"id":1},{"id":2},{"id":3}]"#) }
            if request.path == "/users/3/days" { return .status(404) }
            let from = request.parameter("from") ?? ""
            let id =
                (request.path.contains("/1/") ? 100 : 200) + (from == "2026-09-01" ? 1 : from == "2026-10-01" ? 2 : 3)
            return .json("{\"items\":[{\"id\":\(id),\"at\":\"\(from)T06:00:00Z\"}]}")
        }
        // One page of the merged children at a time, as if each run were interrupted.
        var ids: [Int] = []
        for _ in 0..<20 {
            let reading = try await bench.read("days", from: source, states, pages: 1)
            ids += reading.ids
            if reading.isComplete { break }
        }
        #expect(Set(ids) == [101, 102, 103, 201, 202, 203])
        #expect(states.parts.count == 2)
        for part in states.parts { #expect(states.text(part) == #"{"v":1,"watermark":"2026-11-17T12:00:00Z"}"#) }
        // The child that is gone is asked for in its first window and in its last, and not once more for each.
        #expect(source.sent.count { $0.path == "/users/3/days" } == 2)
        let before = source.sent.count
        _ = try await bench.read("days", from: source, states)
        #expect(
            Self.windows(source).dropFirst(before).filter { $0 != "- -" }.sorted() == [
                "2026-09-01 2026-10-01", "2026-10-22 2026-11-21", "2026-11-17 2026-11-21", "2026-11-17 2026-11-21",
            ]
        )
    }

    @Test("a child that is interrupted in a window goes on in it")
    func interruptedChild() async throws {
        let bench = try Bench(Self.family + "map: '{id, of: parent.id}', since: \(Self.times(""))}\n")
        let states = MemoryStates()
        let source = Script { request, _ in
            if request.path == "/users" { return .json(#"[{"id":1},{"id":2}]"#) }
            return .json("{\"items\":[{\"id\":1,\"at\":\"\(request.parameter("from") ?? "")T06:00:00Z\"}]}")
        }
        var asked: [String] = []
        for _ in 0..<20 {
            let before = source.sent.count
            let reading = try await bench.read("days", from: source, states, pages: 1)
            // What was fetched ahead of the page is not what was given.
            asked += [Self.windows(source).dropFirst(before).first { $0 != "- -" } ?? ""]
            if reading.isComplete { break }
        }
        #expect(
            asked == [
                "2026-09-01 2026-10-01", "2026-10-01 2026-10-31", "2026-10-31 2026-11-21", "2026-09-01 2026-10-01",
                "2026-10-01 2026-10-31", "2026-10-31 2026-11-21",
            ]
        )
    }
}
