import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugFetch

/// Streams that are read for lists, combinations, several sources and groups.
struct PartitionTests {
    private static func bench(_ forEach: String, _ path: String, _ child: String = "", ids: String = "[]") throws
        -> Bench
    {
        var bench = try Bench(
            """
            config: {ids: {type: list}}
            http: {base: "https://api.test"}
            streams:
              accounts: {request: {path: /accounts}, page: {offset: {param: skip, size: 2}}, key: .id}
              cards: {request: {path: "/cards/{{ account.id }}"}, key: .id, for_each: {in: accounts, as: account}}
              things:
                endpoint: d
                key: .id
                version: none
                request: {path: '\(path)'}
                for_each: \(forEach)
                \(child)

            """
        )
        bench.config["ids"] = try JSONValue(parsing: ids)
        return bench
    }

    /// Five accounts, each with two cards; anything else is one record.
    private static func source(_ fault: @escaping @Sendable (HTTPRequest) -> Script.Reply? = { _ in nil }) -> Script {
        Script { request, _ in
            if let reply = fault(request) { return reply }
            let parts = request.path.split(separator: "/")
            if parts.first == "accounts" {
                let first = Int(request.parameter("skip") ?? "0") ?? 0
                let ids = (first..<max(first, min(first + 2, 5))).map { "{\"id\":\($0 + 1),\"old\":\($0 < 2)}" }
                return .json("[\(ids.joined(separator: ","))]")
            }
            if parts.first == "cards", parts.count == 2 {
                return .json(#"[{"id":\#(parts[1])1},{"id":\#(parts[1])2}]"#)
            }
            return .json(#"{"id":1}"#)
        }
    }

    /// What was asked for, without lists of accounts.
    private static func asked(_ source: Script) -> [String] {
        source.sent.map(\.path).filter { $0 != "/accounts" }
    }

    @Test(
        arguments: [
            ("{list: [2024, \"b c\", 2024], as: id}", "/x/{{ id }}", ["/x/2024", "/x/b%20c"]),
            ("{list: '{{ config.ids }}', as: id}", "/x/{{ parent }}", ["/x/a", "/x/b"]),
            ("{list: ['{{ config.ids[1] }}', z], as: id}", "/x/{{ id }}", ["/x/b", "/x/z"]),
            ("{list: '{{ [range(2019; 2021)] }}', as: year}", "/x/{{ year }}", ["/x/2019", "/x/2020"]),
            ("{list: [{a: 1, b: x}, {a: 2, b: y}], as: pair}", "/{{ pair.b }}/{{ pair.a }}", ["/x/1", "/y/2"]),
            (
                "[{list: [7, 8], as: year}, {list: '{{ config.ids }}', as: id}]", "/{{ year }}/{{ id }}",
                ["/7/a", "/7/b", "/8/a", "/8/b"]
            ),
            (
                "[{in: accounts, as: account, skip_if: .old}, {list: [x, y], as: kind}]",
                "/{{ account.id }}/{{ kind }}",
                ["/3/x", "/3/y", "/4/x", "/4/y", "/5/x", "/5/y"]
            ),
            (
                "{any_of: [{list: '{{ config.ids }}'}, {in: accounts}, {list: [3, 9]}], as: it}",
                "/x/{{ it.id? // it }}", ["/x/a", "/x/b", "/x/1", "/x/2", "/x/3", "/x/4", "/x/5", "/x/9"]
            ),
            (
                "{in: accounts, as: some, group: 4}", "/x/{{ [some[].id | tostring] | join(\"-\") }}",
                ["/x/1-2-3-4", "/x/5"]
            ),
            (
                "{list: '{{ [range(5)] }}', group: 2, skip_if: '. == 1'}",
                "/x/{{ parent | map(tostring) | join(\",\") }}",
                ["/x/0%2C2", "/x/3%2C4"]
            ),
        ]
    )
    func asksForEachInOrder(forEach: String, path: String, paths: [String]) async throws {
        let source = Self.source()
        let bench = try Self.bench(forEach, path, ids: #"["a","b"]"#)
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete)
        #expect(Self.asked(source) == paths)
    }

    @Test func theRecordsOfAllLevelsAreSeen() async throws {
        let bench = try Self.bench(
            "[{list: [2024], as: year}, {in: cards, as: card}]",
            "/{{ year }}/{{ account.id }}/{{ card.id }}",
            "map: '[year, account.id, card.id, parent.id]'"
        )
        let source = Self.source()
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete)
        #expect(Self.asked(source).filter { $0.hasPrefix("/2024") }.first == "/2024/1/11")
        #expect(Self.asked(source).filter { $0.hasPrefix("/2024") }.count == 10)
        let last = try #require(reading.pages.last { !$0.records.isEmpty })
        #expect(last.parent?["id"]?.number?.int64 == 52)
        #expect(last.ancestors.map(\.compactText) == ["2024", #"{"id":5,"old":false}"#])
    }

    @Test func partsOfCombinationsAreTheirOwn() async throws {
        let since = "since: {field: .at, type: integer, send: {query: {after: value}}}"
        let bench = try Self.bench(
            "[{list: [1, 2], as: a}, {list: [1, 2], as: b}]",
            "/{{ a }}/{{ b }}",
            "records: .r\n    \(since)"
        )
        let source = Script { request, _ in
            .json(#"{"r":[{"id":1,"at":\#(request.path.filter(\.isNumber))}]}"#)
        }
        let states = MemoryStates()
        #expect(try await bench.read(from: source, states).isComplete)
        #expect(states.parts.count == 4)
        _ = try await bench.read(from: source, states)
        #expect(source.sent.suffix(4).map { $0.parameter("after") } == ["11", "12", "21", "22"])
    }

    @Test func anElementThatComesBackGoesOnWhereItWas() async throws {
        let since = "since: {field: .at, type: integer, send: {query: {after: value}}}"
        let source = Script { _, _ in .json(#"[{"id":1,"at":7}]"#) }
        let states = MemoryStates()
        for ids in [#"["a","b"]"#, #"["b"]"#, #"["b","a"]"#] {
            let bench = try Self.bench("{list: '{{ config.ids }}', as: id}", "/x/{{ id }}", since, ids: ids)
            #expect(try await bench.read(from: source, states).isComplete)
        }
        #expect(
            source.sent.map { $0.path + ($0.parameter("after") ?? "-") } == [
                "/x/a-", "/x/b-", "/x/b7", "/x/b7", "/x/a7",
            ]
        )
    }

    @Test(
        "an interrupted pass goes on at its element, however the list has changed",
        arguments: [
            (#"["a","b","c","d"]"#, ["c", "d"]), (#"["x","a","b","c","d"]"#, ["c", "d"]), (#"["b","c"]"#, ["c"]),
            (#"["c","b","d"]"#, ["d"]), (#"["a","c","d"]"#, ["a", "c", "d"]), (#"["a","b"]"#, []),
        ]
    )
    func interruptedList(ids: String, rest: [String]) async throws {
        let (forEach, path) = ("{list: '{{ config.ids }}', as: id}", "/x/{{ id }}")
        let states = MemoryStates()
        let first = try Self.bench(forEach, path, "map: '{id: parent}'", ids: #"["a","b","c","d"]"#)
        _ = try await first.read(from: Self.source(), states, pages: 2)
        let source = Self.source()
        let second = try await Self.bench(forEach, path, "map: '{id: parent}'", ids: ids).read(from: source, states)
        #expect(second.isComplete)
        #expect(Self.asked(source) == rest.map { "/x/\($0)" })
    }

    @Test("no combination is lost where a run is interrupted", arguments: 1...11)
    func interruptedCombinations(cut: Int) async throws {
        let bench = try Self.bench(
            "[{list: [7, 8], as: year}, {any_of: [{in: accounts}, {list: [x]}], as: it}]",
            "/{{ year }}/{{ it.id? // it }}",
            "map: '[year, it]'"
        )
        let states = MemoryStates()
        let paths = [7, 8].flatMap { year in ["1", "2", "3", "4", "5", "x"].map { "\(year) \($0)" } }
        func given(_ reading: Reading) -> [String] {
            reading.pages.filter { !$0.records.isEmpty }
                .map { page in
                    let it = page.parent.map { $0["id"]?.value.compactText ?? $0.text ?? "" } ?? ""
                    return "\(page.ancestors.map(\.compactText).joined()) \(it)"
                }
        }
        let first = try await bench.read(from: Self.source(), states, pages: cut)
        let second = try await bench.read(from: Self.source(), states)
        #expect(second.isComplete)
        #expect(given(first) + given(second) == paths)
    }

    @Test("no group is lost where a run is interrupted", arguments: 1...3)
    func interruptedGroups(cut: Int) async throws {
        let bench = try Self.bench(
            "{in: accounts, group: 2}",
            "/x/{{ [parent[].id | tostring] | join(\"-\") }}",
            "map: '{id: parent}'"
        )
        let (states, source) = (MemoryStates(), Self.source())
        _ = try await bench.read(from: source, states, pages: cut)
        let rest = Self.source()
        #expect(try await bench.read(from: rest, states).isComplete)
        #expect(Set(Self.asked(source) + Self.asked(rest)) == ["/x/1-2", "/x/3-4", "/x/5"])
    }

    @Test("a list that cannot be read for one part of a combination holds up no other, and is read again")
    func failingPart() async throws {
        let states = MemoryStates()
        let bench = try Self.bench("[{list: [7, 8], as: year}, {in: cards, as: card}]", "/{{ year }}/{{ card.id }}")
        let source = Self.source { $0.path == "/cards/2" ? .status(500) : nil }
        let first = try await bench.read(from: source, states)
        #expect(first.error?.code == "children-failed" && !first.isComplete)
        #expect(Self.asked(source).filter { !$0.hasPrefix("/cards") }.count == 16)
        let healed = Self.source()
        #expect(try await bench.read(from: healed, states).isComplete)
        #expect(Self.asked(healed).filter { !$0.hasPrefix("/cards") }.count == 20)
    }

    @Test("where the pages of one part do not add up, the next pass begins at the start, and the run says why")
    func partThatDoesNotAddUp() async throws {
        let yaml = """
            http: {base: "https://api.test"}
            streams:
              accounts: {request: {path: /accounts}, records: .items, page: {next: .next, total: .total}, key: .id}
              things:
                endpoint: d
                key: .id
                version: none
                request: {path: "/{{ year }}/{{ parent.id }}"}
                for_each: [{list: [7, 8], as: year}, {in: accounts, as: account}]

            """
        let (bench, states) = (try Bench(yaml), MemoryStates())
        func source(total: Int) -> Script {
            Script { request, _ in
                request.path == "/accounts"
                    ? .json(#"{"items":[{"id":1},{"id":2}],"total":\#(total)}"#) : .json(#"{"id":1}"#)
            }
        }
        let first = try await bench.read(from: source(total: 3), states)
        #expect(first.error?.code == "children-failed" && first.ids.count == 4)
        #expect(states.text() == #"{"v":1}"#)
        #expect(try await bench.read(from: source(total: 2), states).ids.count == 4)
    }

    @Test("a part of a combination that fails ends no other, however many there are")
    func manyFailingParts() async throws {
        let bench = try Self.bench(
            "[{list: '{{ [range(60)] }}', as: n}, {in: cards, as: card}]",
            "/n/{{ n }}/{{ card.id }}"
        )
        let source = Self.source { $0.path == "/cards/2" ? .status(400) : nil }
        let reading = try await bench.read(from: source)
        #expect(reading.error?.code == "children-failed")
        #expect(Set(Self.asked(source).filter { $0.hasPrefix("/n") }).count == 60 * 8)
    }

    @Test(
        "a group that is not found, or an element of a list, is no parent that is gone",
        arguments: [
            "{in: accounts, group: 2}", "{list: [1]}",
        ]
    )
    func notFound(forEach: String) async throws {
        let source = Self.source { $0.path.hasPrefix("/x") ? .status(404) : nil }
        let reading = try await Self.bench(forEach, "/x").read(from: source)
        #expect(reading.error?.code == "children-failed" && !reading.isComplete)
    }

    @Test("in a combination 'skip_if' sees the names before it")
    func skipsByTheOthers() async throws {
        let source = Self.source()
        let forEach = "[{list: [1, 2], as: a}, {list: [1, 2, 3], as: b, skip_if: '. == a'}]"
        #expect(try await Self.bench(forEach, "/x/{{ a }}/{{ b }}").read(from: source).isComplete)
        #expect(Self.asked(source) == ["/x/1/2", "/x/1/3", "/x/2/1", "/x/2/3"])
        let inner = "[{list: [1, 3], as: a}, {in: cards, as: card, skip_if: 'account.id != a'}]"
        let other = Self.source()
        #expect(try await Self.bench(inner, "/x/{{ a }}/{{ card.id }}").read(from: other).isComplete)
        #expect(Self.asked(other).filter { $0.hasPrefix("/x") } == ["/x/1/11", "/x/1/12", "/x/3/31", "/x/3/32"])
    }

    @Test("an element in text and a record with that number are one")
    func textsAndNumbers() async throws {
        let source = Self.source()
        let forEach = "{any_of: [{in: accounts}, {list: '{{ config.ids }}'}], as: it}"
        let bench = try Self.bench(forEach, "/x/{{ it.id? // it }}", ids: #"["3", "9"]"#)
        #expect(try await bench.read(from: source).isComplete)
        #expect(Self.asked(source) == ["/x/1", "/x/2", "/x/3", "/x/4", "/x/5", "/x/9"])
    }

    @Test("a name that a stream gives itself takes precedence over its parents' names")
    func ownNames() async throws {
        let source = Self.source()
        let bench = try Self.bench(
            "[{list: [7, 8], as: account}, {in: cards, as: card}]",
            "/x/{{ account }}/{{ card.id }}"
        )
        #expect(try await bench.read(from: source).isComplete)
        #expect(Self.asked(source).filter { $0.hasPrefix("/x") }.prefix(3) == ["/x/7/11", "/x/7/12", "/x/7/21"])
    }

    @Test("parents that lead to nothing are passed, however often a run is interrupted")
    func skippedPages() async throws {
        let bench = try Self.bench("{in: accounts, skip_if: 'true'}", "/x/{{ parent.id }}")
        let states = MemoryStates()
        let source = Self.source()
        for _ in 0..<3 where try await !bench.read(from: source, states, pages: 1).isComplete {}
        #expect(source.sent.contains { $0.parameter("skip") == "4" })
        #expect(try await bench.read(from: source, states).isComplete)
    }

    @Test("another bound than the interrupted pass had begins a new one")
    func sinceAnotherBound() async throws {
        let since = "since: {field: .id, type: integer, send: {query: {after: value}}}"
        var bench = try Self.bench("{list: [1, 2, 3]}", "/x/{{ parent }}", since)
        let states = MemoryStates()
        let source = Self.source()
        _ = try await bench.read(from: source, states, pages: 2)
        bench.options.since = "0"
        let again = Self.source()
        #expect(try await bench.read(from: again, states).isComplete)
        #expect(Self.asked(again) == ["/x/1", "/x/2", "/x/3"])
    }

    @Test("where a pass begins may be unreadable for one parent, and the others are read")
    func oneStartIsMissing() async throws {
        let since =
            "since: {field: .id, type: integer, from: '{{ parent.from }}', window: 100, "
            + "send: {query: {from: value}}, until: {query: {to: value}}}"
        let bench = try Self.bench("{list: [{id: 1, from: 5}, {id: 2}, {id: 3, from: 7}]}", "/x/{{ parent.id }}", since)
        let source = Self.source()
        let reading = try await bench.read(from: source)
        #expect(reading.error?.code == "children-failed" && !reading.isComplete, "\(reading.error?.message ?? "")")
        #expect(Set(Self.asked(source)) == ["/x/1", "/x/3"])
    }

    @Test func countsTheParentsThatAreSkipped() async throws {
        let bench = try Self.bench("{in: accounts, skip_if: .old}", "/x/{{ parent.id }}")
        let reading = try await bench.read(from: Self.source())
        #expect(reading.isComplete)
        #expect(reading.pages.reduce(0) { $0 + $1.cost.skippedParents } == 2)
        let none = try await Self.bench("{in: accounts, skip_if: 'true'}", "/x/{{ parent.id }}").read(
            from: Self.source()
        )
        #expect(none.isComplete && none.ids.isEmpty)
        #expect(none.pages.reduce(0) { $0 + $1.cost.skippedParents } == 5)
    }

    @Test("nothing is read for parents that their own stream drops, and 'only: changed' reads again where that changes")
    func droppedParents() async throws {
        func bench(_ drop: String) throws -> Bench {
            try Bench(
                """
                http: {base: "https://api.test"}
                streams:
                  bases:
                    {request: {path: /bases}, records: ., key: .id, drop_if: \(drop), since: {field: .at, type: integer, filter: true}}
                  things:
                    {endpoint: t, key: .id, version: none, request: {path: "/t/{{ base.id }}"}, records: .,
                     for_each: {in: bases, as: base, only: changed}}

                """
            )
        }
        let source = Script { request, _ in
            if request.path == "/bases" {
                return .json(#"[{"id":1,"at":1,"off":true},{"id":2,"at":1},{"id":3,"at":2}]"#)
            }
            return .json("[{\"id\":\(request.path.dropFirst(3))}]")
        }
        let states = MemoryStates()
        let first = try await bench(".off").read(from: source, states)
        #expect(first.ids == [2, 3] && first.isComplete)
        #expect(first.pages.reduce(0) { $0 + $1.cost.skippedParents } == 1)
        #expect(try await bench(".off").read(from: source, states).ids == [3])
        // Another program: what it leaves was never read.
        #expect(try await bench(".id == 2").read(from: source, states).ids == [1, 3])
    }

    @Test func aSkipThatFailsReadsNothingForThePage() async throws {
        let source = Self.source()
        let bench = try Self.bench("{in: accounts, skip_if: '.old | test(\"x\")'}", "/x/{{ parent.id }}")
        let reading = try await bench.read(from: source)
        #expect(reading.error?.code == "skip-if-failed" && reading.error?.exit == .data)
        #expect(reading.error?.message.hasPrefix("plug.yaml:15:30: ") == true)
        #expect(Self.asked(source) == [])
    }

    @Test(
        arguments: [
            ("{list: '{{ config.ids | length }}'}", "'for_each.list' gives a number, not a list"),
            ("{list: '{{ config.ids | first // null }}'}", "'for_each.list' gives nothing, not a list"),
            (
                "{list: '{{ [1, null] }}'}",
                "'for_each.list' gives nothing as its element 2, not a text, a number or an object"
            ),
            ("{list: '{{ [range(100001)] }}'}", "'for_each.list' gives 100001 elements; at most 100000 are read"),
            (
                "[{list: '{{ [range(1001)] }}', as: a}, {list: '{{ [range(1000)] }}', as: b}]",
                "'for_each' gives 1001000 combinations; at most 1000000 are read"
            ),
            (
                "[{any_of: [{list: '{{ [range(1000)] }}'}, {list: [a]}], as: a}, {list: '{{ [range(2000)] }}', as: b, group: 2}]",
                "'for_each' gives 1001000 combinations; at most 1000000 are read"
            ),
        ]
    )
    func whatIsNoListIsTold(forEach: String, message: String) async throws {
        let source = Self.source()
        let reading = try await Self.bench(forEach, "/x").read(from: source)
        #expect(reading.error?.code == "for-each-list" && reading.error?.exit == .configuration)
        #expect(reading.error?.message.hasSuffix(": " + message) == true, "\(reading.error?.message ?? "")")
        #expect(reading.error?.message.hasPrefix("plug.yaml:15:") == true)
        #expect(source.sent.isEmpty)
    }

    @Test func anEmptyListIsACompletePass() async throws {
        let reading = try await Self.bench("{list: '{{ config.ids }}', as: id}", "/x/{{ id }}").read(
            from: Self.source()
        )
        #expect(reading.isComplete && reading.ids.isEmpty && reading.error == nil)
    }
}
