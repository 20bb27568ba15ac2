import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugFetch

/// Parents whose children are read again only if they have changed (`unchanged: skip`).
struct UnchangedChildTests {
    private static func yaml(_ each: String = ", unchanged: skip", map: String = "{id}", page: String = "") -> String {
        "http: {base: \"https://api.test\"}\n"
            + "streams:\n  lists: {key: .id, version: none, request: {path: /lists}, records: .items}\n"
            + "  things: {endpoint: t, for_each: {in: lists\(each)}, key: .id, version: none, records: .items, map: '\(map)'\(page), "
            + "request: {path: \"/lists/{{ parent.id }}\"}}\n"
    }

    /// A source with some lists, each with a thing of ten times its number and an entity tag that says which it is.
    private final class Source: Sendable {
        let tags = Mutex<[Int: String]>([1: "\"a\"", 2: "\"a\"", 3: "\"a\""])

        /// Which tags requests for lists came with.
        func script() -> Script {
            Script { request, _ in
                let tags = self.tags.withLock { $0 }
                if request.path == "/lists" {
                    return .json("{\"items\":[\(tags.keys.sorted().map { "{\"id\":\($0)}" }.joined(separator: ","))]}")
                }
                let id = Int(request.path.split(separator: "/").last ?? "") ?? 0
                let tag = tags[id] ?? ""
                if !tag.isEmpty, request.header("If-None-Match") == tag { return .status(304, body: "") }
                let headers = tag.isEmpty ? [] : [HTTPHeader("ETag", tag)]
                return Script.Reply(headers: headers, body: "{\"items\":[{\"id\":\(id * 10)}]}")
            }
        }
    }

    private static func asked(_ script: Script) -> [String] {
        script.sent.filter { $0.path != "/lists" }.map { "\($0.path) \($0.header("If-None-Match") ?? "-")" }.sorted()
    }

    /// The ids of a pass, and what was asked for.
    private func pass(
        _ source: Source,
        _ states: MemoryStates,
        _ yaml: String = yaml(),
        _ change: (inout Bench) -> Void = { _ in },
        pages: Int = .max
    ) async throws -> (ids: [Int], asked: [String], isComplete: Bool) {
        var bench = try Bench(yaml)
        change(&bench)
        let script = source.script()
        let reading = try await bench.read(from: script, states, pages: pages)
        #expect(reading.error == nil && bench.events.warnings == [])
        return (reading.ids, Self.asked(script), reading.isComplete)
    }

    @Test func onlyParentsWithAChangedPageAreReadAgain() async throws {
        let (source, states) = (Source(), MemoryStates())
        let first = try await pass(source, states)
        #expect(first.ids == [10, 20, 30] && first.isComplete)
        #expect(first.asked == ["/lists/1 -", "/lists/2 -", "/lists/3 -"])
        #expect(states.parts.count == 3)
        for _ in 0..<2 {
            let next = try await pass(source, states)
            #expect(next.ids == [] && next.isComplete)
            #expect(next.asked == ["/lists/1 \"a\"", "/lists/2 \"a\"", "/lists/3 \"a\""])
        }
        source.tags.withLock { $0[2] = "\"b\"" }
        #expect(try await pass(source, states).ids == [20])
        let last = try await pass(source, states)
        #expect(last.ids == [] && last.asked[1] == "/lists/2 \"b\"")
    }

    @Test func aPageWithoutATagIsReadEachTimeAndItsOldOneForgotten() async throws {
        let (source, states) = (Source(), MemoryStates())
        _ = try await pass(source, states)
        source.tags.withLock { $0[1] = "" }
        #expect(try await pass(source, states).ids == [10])
        let next = try await pass(source, states)
        #expect(next.ids == [10] && next.asked[0] == "/lists/1 -")
        // A tag that came back is another page's.
        source.tags.withLock { $0[1] = "\"a\"" }
        #expect(try await pass(source, states).ids == [10])
    }

    @Test func withoutItParentsAreReadEachTime() async throws {
        let (source, states) = (Source(), MemoryStates())
        for _ in 0..<2 {
            let pass = try await pass(source, states, Self.yaml(""))
            #expect(pass.ids == [10, 20, 30] && pass.asked.allSatisfy { $0.hasSuffix("-") })
        }
        #expect(states.parts == [])
    }

    @Test func anotherManifestAndWhoeverWantsAllOfItReadEverything() async throws {
        let (source, states) = (Source(), MemoryStates())
        _ = try await pass(source, states)
        #expect(try await pass(source, states, Self.yaml(map: "{id, n: 1}")).ids == [10, 20, 30])
        #expect(try await pass(source, states, Self.yaml(map: "{id, n: 1}")).ids == [])
        let all = try await pass(source, states, Self.yaml(map: "{id, n: 1}"), { $0.options.readsUnchanged = true })
        #expect(all.ids == [10, 20, 30])
    }

    @Test(
        "a run that ends behind any page loses nothing, and asks for what it has read only if it changed",
        arguments: 0...3
    )
    func interruptions(pages: Int) async throws {
        let (source, states) = (Source(), MemoryStates())
        // A program that looks at the parent, so that each parent's page is one of the run's.
        let yaml = Self.yaml(map: "{id, list: parent.id}")
        let begun = try await pass(source, states, yaml, pages: pages)
        let rest = try await pass(source, states, yaml)
        #expect(begun.ids + rest.ids == [10, 20, 30] && rest.isComplete)
        #expect(try await pass(source, states, yaml).ids == [])
    }

    @Test func aParentWithSeveralPagesIsReadEachTime() async throws {
        let yaml = Self.yaml(page: ", page: {next: .next}")
        let states = MemoryStates()
        let script = Script { request, _ in
            let tag = HTTPHeader("ETag", "\"a\"")
            return switch request.path {
            case "/lists": .json(#"{"items":[{"id":1}]}"#)
            case "/lists/1": .json(#"{"items":[{"id":1}],"next":"/more"}"#, tag)
            default: .json(#"{"items":[{"id":2}],"next":null}"#, tag)
            }
        }
        for _ in 0..<2 { #expect(try await Bench(yaml).read(from: script, states).ids == [1, 2]) }
        #expect(script.sent.allSatisfy { $0.header("If-None-Match") == nil } && states.parts == [])
    }
}
