import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// The addresses that a parent's record leads to.
struct ChildPathTests {
    @Test func fillsOneSegmentWithATemplate() async throws {
        let yaml =
            "http: {base: \"https://api.test/v1/\"}\nstreams:\n"
            + "  list: {request: {path: things}, records: .}\n"
            + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list}, request: {path: \"/things/{{ parent.id }}/x\"}}\n"
        let bench = try Bench(yaml)
        let source = Script { request, at in
            at == 0 ? .json(#"[{"id":"a/b?c#d%2f é"},{"id":12345678901234567890}]"#) : .json(#"{"id":1}"#)
        }
        #expect(try await bench.read("details", from: source).error == nil)
        #expect(
            Set(source.urls) == [
                "https://api.test/v1/things", "https://api.test/v1/things/a%2Fb%3Fc%23d%252f%20%C3%A9/x",
                "https://api.test/v1/things/12345678901234567890/x",
            ]
        )
        for id in ["..", ".", ""] {
            let hostile = Script(.json("[{\"id\":\"\(id)\"}]"))
            let error = try #require(try await bench.read("details", from: hostile).error)
            #expect(error.code == "children-failed" && error.message.contains("a template in the path"))
            #expect(hostile.sent.count == 1)
        }
    }

    @Test("a parent that no request can be made of holds up no other, and is tried again by the next pass")
    func poisonedTemplate() async throws {
        for path in ["/things/{{ parent.id }}/x", "/things/{{ parent.id | tonumber }}/x"] {
            let yaml =
                "http: {base: \"https://api.test/v1\"}\nstreams:\n"
                + "  list: {request: {path: things}, records: .}\n"
                + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list}, request: {path: \"\(path)\"}}\n"
            let bench = try Bench(yaml)
            func source(_ second: String) -> Script {
                Script { request, _ in
                    guard request.path != "/v1/things" else {
                        return .json("[{\"id\":\"1\"},{\"id\":\"\(second)\"},{\"id\":\"3\"}]")
                    }
                    return .json("{\"id\":\(request.path.split(separator: "/")[2])}")
                }
            }
            let states = MemoryStates()
            let first = try await bench.read("details", from: source(".."), states)
            #expect(first.ids == [1, 3] && !first.isComplete)
            #expect(first.error?.code == "children-failed")
            #expect(bench.events.warnings == ["child-failed"])
            let second = try await bench.read("details", from: source("2"), states)
            #expect(second.ids == [1, 2, 3] && second.isComplete && second.error == nil)
        }
    }

    @Test func sendsAReferenceOfTheParentAsItStands() async throws {
        let yaml =
            "http: {base: \"https://api.test/v1\"}\nstreams:\n"
            + "  list: {request: {path: /things}, records: .}\n"
            + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list}, request: {path: \"{{ parent.url }}\"}}\n"
        let bench = try Bench(yaml)
        func urls(_ link: String) async throws -> (urls: [String], error: String?) {
            let source = Script { request, at in
                at == 0 ? .json("[{\"url\":\"\(link)\"}]") : .json(#"{"id":1}"#)
            }
            let reading = try await bench.read("details", from: source)
            return (Array(source.urls.dropFirst()), reading.error?.code.text)
        }
        #expect(try await urls("https://api.test/v1/things/1/?a=%2f") == (["https://api.test/v1/things/1/?a=%2f"], nil))
        #expect(try await urls("/v2/things/1") == (["https://api.test/v2/things/1"], nil))
        #expect(try await urls("things/1") == (["https://api.test/v1/things/1"], nil))
        #expect(try await urls("https://evil.test/1") == ([], "children-failed"))
        #expect(try await urls("//127.0.0.1/1") == ([], "children-failed"))
    }
}
