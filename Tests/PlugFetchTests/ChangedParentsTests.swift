import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugFetch

/// Children of those parents that are new or have changed.
struct ChangedParentsTests {
    private static let yaml = """
        http: {base: "https://api.test"}
        streams:
          list:
            request: {path: /list}
            page: {offset: {param: skip, size: 2}}
            key: .id
            since: {field: .at, type: integer, send: {query: {after: value}}}
          things:
            endpoint: d
            key: .id
            version: none
            for_each: {in: list, only: changed}
            request: {path: "/things/{{ parent.id }}"}
            map: '{id, of: parent.id}'

        """

    /// Parents that change while it is used.
    private final class Source: Sendable {
        /// When each parent has changed last.
        let parents: Mutex<[Int: Int]>
        let failing: Mutex<Set<Int>> = Mutex([])

        init(_ parents: [Int: Int]) { self.parents = Mutex(parents) }

        func change(_ id: Int, at: Int) { parents.withLock { $0[id] = at } }

        var script: Script {
            Script { request, _ in
                let parts = request.path.split(separator: "/")
                if parts.count == 2 {
                    let fails = self.failing.withLock { $0.contains(Int(parts[1]) ?? 0) }
                    return fails ? .status(500) : .json(#"{"id":\#(parts[1])}"#)
                }
                let after = Int(request.parameter("after") ?? "0") ?? 0
                let skip = Int(request.parameter("skip") ?? "0") ?? 0
                let changed = self.parents.withLock { $0.filter { $0.value >= after } }.sorted { $0.value < $1.value }
                let page = changed.dropFirst(skip).prefix(2).map { #"{"id":\#($0.key),"at":\#($0.value)}"# }
                return .json("[\(page.joined(separator: ","))]")
            }
        }
    }

    private static func read(_ source: Source, _ states: MemoryStates, pages: Int = .max) async throws -> Reading {
        try await Bench(yaml).read(from: source.script, states, pages: pages)
    }

    @Test func readsChildrenOfChangedParentsAlone() async throws {
        let (source, states) = (Source([1: 10, 2: 20, 3: 30]), MemoryStates())
        #expect(try await Self.read(source, states).ids == [1, 2, 3])
        #expect(states.value()?["watermark"]?["at"]?.number?.int64 == 30)
        #expect(states.parts == [])
        // The last one stands at the watermark.
        #expect(try await Self.read(source, states).ids == [3])
        source.change(1, at: 40)
        source.change(4, at: 50)
        #expect(try await Self.read(source, states).ids == [3, 1, 4])
        #expect(states.value()?["watermark"]?["at"]?.number?.int64 == 50)
        let last = try await Self.read(source, states)
        #expect(last.ids == [4] && last.isComplete)
    }

    @Test("the watermark moves when the last child is safe, and not before", arguments: 1...5)
    func interrupted(cut: Int) async throws {
        let (source, states) = (Source([1: 10, 2: 20, 3: 30, 4: 40, 5: 50]), MemoryStates())
        let first = try await Self.read(source, states, pages: cut)
        #expect(first.ids == Array(1...cut))
        if !first.isComplete { #expect(states.value()?["watermark"] == nil) }
        // What changes now is the next pass's.
        source.change(1, at: 60)
        let second = first.isComplete ? Reading() : try await Self.read(source, states)
        let third = try await Self.read(source, states)
        #expect(Set(first.ids + second.ids) == [1, 2, 3, 4, 5])
        #expect(third.ids.contains(1) && third.isComplete)
        #expect(states.value()?["watermark"]?["at"]?.number?.int64 == 60)
    }

    @Test("a parent whose children could not be read is read again, however many runs later")
    func failing() async throws {
        let (source, states) = (Source([1: 10, 2: 20, 3: 30]), MemoryStates())
        source.failing.withLock { $0 = [1] }
        let first = try await Self.read(source, states, pages: 2)
        // The first page says that 1 was left out, the next has what came of 2.
        #expect(first.ids == [2] && states.value()?["pass"]?["failed"]?.number?.int64 == 1)
        let second = try await Self.read(source, states)
        #expect(second.ids == [3] && second.error?.code == "children-failed" && !second.isComplete)
        #expect(states.text() == #"{"v":1}"#)
        source.failing.withLock { $0 = [] }
        let third = try await Self.read(source, states)
        #expect(third.ids == [1, 2, 3] && third.isComplete)
        #expect(states.value()?["watermark"]?["at"]?.number?.int64 == 30)
    }

    @Test("records that do not fit leave a state in which their parent is read again")
    func misfits() async throws {
        let (source, states) = (Source([1: 10, 2: 20, 3: 30]), MemoryStates())
        let reading = try await Self.read(source, states)
        let last = try #require(reading.pages.last)
        #expect(last.endsPass && last.stateLeavingOut.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"v":1}"#)
        let middle = try #require(reading.pages.first?.stateLeavingOut)
        states.commit(["": middle])
        let rest = try await Self.read(source, states)
        #expect(rest.ids == [2, 3] && rest.error?.code == "children-failed" && !rest.isComplete)
        #expect(states.text() == #"{"v":1}"#)
    }

    @Test("what changes on the first half of a page while nobody reads is the next pass's")
    func changesBehindTheReader() async throws {
        // Newest changes do not move what stands in the list.
        let numbers = Mutex([1: 10, 2: 20, 3: 30, 4: 40])
        let script = Script { request, _ in
            let parts = request.path.split(separator: "/")
            if parts.count == 2 { return .json(#"{"id":\#(parts[1])}"#) }
            let after = Int(request.parameter("after") ?? "0") ?? 0
            let list = numbers.withLock { $0.filter { $0.value >= after } }.sorted { $0.key < $1.key }
            return .json("[\(list.map { #"{"id":\#($0.key),"at":\#($0.value)}"# }.joined(separator: ","))]")
        }
        let yaml = Self.yaml.replacing("            page: {offset: {param: skip, size: 2}}\n", with: "")
            .replacing("    page: {offset: {param: skip, size: 2}}\n", with: "")
        let states = MemoryStates()
        let bench = try Bench(yaml)
        #expect(try await bench.read(from: script, states, pages: 3).ids == [1, 2, 3])
        numbers.withLock { $0[1] = 105 }
        #expect(try await bench.read(from: script, states).ids == [4])
        #expect(states.value()?["watermark"]?["at"]?.number?.int64 == 40)
        #expect(try await bench.read(from: script, states).ids == [1, 4])
    }

    @Test(
        "what changes below the first parent while nobody reads is the next pass's, though it stands at the same place"
    )
    func changesBelowTheFirst() async throws {
        let numbers = Mutex([1: 10, 2: 20])
        let children = Mutex([11, 12])
        let script = Script { request, _ in
            let parts = request.path.split(separator: "/")
            if parts.count == 2 {
                // The newest first, one a page.
                let (before, all) = (Int(request.parameter("before") ?? "99") ?? 99, children.withLock { $0 })
                let found = parts[1] == "1" ? all.filter { $0 < before }.max() : nil
                let next = found.flatMap { id in all.contains { $0 < id } ? id : nil }
                let items = found.map { #"{"id":\#($0)}"# } ?? ""
                return .json(#"{"items":[\#(items)],"next":\#(next.map { "\($0)" } ?? "null")}"#)
            }
            let after = Int(request.parameter("after") ?? "0") ?? 0
            let list = numbers.withLock { $0.filter { $0.value >= after } }.sorted { $0.key < $1.key }
            return .json("[\(list.map { #"{"id":\#($0.key),"at":\#($0.value)}"# }.joined(separator: ","))]")
        }
        let yaml = Self.yaml.replacing("    page: {offset: {param: skip, size: 2}}\n", with: "")
            .replacing(
                "    map:",
                with: "    records: .items\n    page: {cursor: {from: .next, param: before}}\n    map:"
            )
        let (states, bench) = (MemoryStates(), try Bench(yaml))
        #expect(try await bench.read(from: script, states, pages: 1).ids == [12])
        children.withLock { $0.append(13) }
        numbers.withLock { $0 = [1: 100, 2: 110] }
        #expect(try await bench.read(from: script, states).ids == [11])
        #expect(try await bench.read(from: script, states).ids == [13, 12, 11])
    }

    @Test("a clock that is behind leaves out nothing below a parent that may not be listed again")
    func clockThatIsBehind() async throws {
        let yaml =
            Self.yaml.replacing("    page: {offset: {param: skip, size: 2}}\n", with: "") + """
                    since:
                      field: .at
                      type: time
                      from: "2026-11-01"
                      until: {query: {to: epoch}}
                      send: {query: {from: epoch}}

                """
        // By the source's clock it is a day later.
        let date = HTTPHeader("Date", "Sun, 22 Nov 2026 12:00:00 GMT")
        let children = [#"{"id":7,"at":"2026-11-20T00:00:00Z"}"#, #"{"id":8,"at":"2026-11-22T11:00:00Z"}"#]
        let script = Script { request, _ in
            guard request.path != "/list" else {
                return .json(#"[{"id":1,"at":10},{"id":2,"at":20}]"#, date)
            }
            let to = Int64(request.parameter("to") ?? "") ?? 0
            let found = children.filter { child in
                (try? JSONValue(parsing: child)["at"]?.stringText).flatMap { Timestamp($0) }.map { $0.seconds <= to }
                    == true
            }
            return .json("[\(request.path == "/things/1" ? found.joined(separator: ",") : "")]", date)
        }
        let states = MemoryStates()
        let reading = try await Bench(yaml).read(from: script, states)
        #expect(reading.ids == [7, 8] && reading.error == nil)
        #expect(script.sent.compactMap { $0.parameter("to") }.allSatisfy { $0 == "1795348800" })
    }

    @Test("what moves to another place of the page where a run stopped hides nothing")
    func movesOnThePage() async throws {
        let yaml = Self.yaml.replacing("    page: {offset: {param: skip, size: 2}}\n", with: "")
        let (source, states) = (Source([1: 10, 2: 20, 3: 30, 4: 40]), MemoryStates())
        let all = Script { request, _ in
            let parts = request.path.split(separator: "/")
            if parts.count == 2 { return .json(#"{"id":\#(parts[1])}"#) }
            let after = Int(request.parameter("after") ?? "0") ?? 0
            let list = source.parents.withLock { $0.filter { $0.value >= after } }.sorted { $0.value < $1.value }
            return .json("[\(list.map { #"{"id":\#($0.key),"at":\#($0.value)}"# }.joined(separator: ","))]")
        }
        let bench = try Bench(yaml.replacing("type: integer,", with: "type: integer, order: asc,"))
        #expect(try await bench.read(from: all, states, pages: 3).ids == [1, 2, 3])
        source.change(3, at: 105)
        #expect(try await bench.read(from: all, states).ids == [1, 2, 4, 3])
    }

    @Test("an interrupted pass over others is not continued")
    func interruptedWithAnotherSelection() async throws {
        let (source, states) = (Source([1: 10, 2: 20, 3: 30]), MemoryStates())
        let some = Self.yaml.replacing("only: changed", with: "only: changed, skip_if: '.id == 1'")
        #expect(try await Bench(some).read(from: source.script, states, pages: 1).ids == [2])
        #expect(try await Self.read(source, states).ids == [1, 2, 3])
    }

    @Test("a watermark counts for what it was proved for")
    func anotherSelection() async throws {
        let (source, states) = (Source([1: 10, 2: 20, 3: 30]), MemoryStates())
        let some = Self.yaml.replacing("only: changed", with: "only: changed, skip_if: '.id == 1'")
        #expect(try await Bench(some).read(from: source.script, states).ids == [2, 3])
        #expect(try await Self.read(source, states).ids == [1, 2, 3])
    }

    @Test func aBoundThatAPersonGivesIsForTheParents() async throws {
        let (source, states) = (Source([1: 10, 2: 20, 3: 30]), MemoryStates())
        _ = try await Self.read(source, states)
        var bench = try Bench(Self.yaml)
        bench.options.since = "20"
        #expect(try await bench.read(from: source.script, states).ids == [2, 3])
        #expect(states.value()?["watermark"]?["at"]?.number?.int64 == 30)
    }

    @Test func aParentIsReadOnlyWhenItChangesWithAStateOfItsOwnToo() async throws {
        let yaml = Self.yaml + "    since: {field: .id, type: integer, send: {query: {from: value}}}\n"
        let (source, states) = (Source([1: 10, 2: 20]), MemoryStates())
        let bench = try Bench(yaml)
        #expect(try await bench.read(from: source.script, states).isComplete)
        #expect(states.parts.count == 2)
        source.change(1, at: 30)
        let script = source.script
        #expect(try await bench.read(from: script, states).ids == [2, 1])
        #expect(script.sent.compactMap { $0.parameter("from") } == ["2", "1"])
    }
}
