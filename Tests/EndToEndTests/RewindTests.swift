import LosslessJSON
import Synchronization
import TestKit
import Testing

/// The way out where a stream waits for something that will never come.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct RewindTests {
    /// A service whose things are numbered, and asked for from a number on.
    private static func answer(_ request: LoopbackServer.Request, _ numbers: [Int]) -> LoopbackServer.Answer {
        let after = request.target.split(separator: "=").dropFirst().first.flatMap { Int($0) } ?? 0
        let items = numbers.filter { $0 > after }.map { "{\"id\":\($0),\"seq\":\($0)}" }
        return .whole(200, "{\"items\":[\(items.joined(separator: ","))]}")
    }

    @Test("after one number that is far too great a stream finds nothing, until its place is forgotten")
    func numbers() async throws {
        let numbers = Mutex([1, 2, 4_000_000_000_000])
        try await PlainWorld.with(
            stream: ", since: {field: .seq, type: integer, send: {query: {after: value}}}",
            source: { request in Self.answer(request, numbers.withLock { $0 }) },
            { world in
                func counts() async throws -> [String] {
                    let ended = try await world.run(world.connection("ada"))
                    #expect(ended.status == 0, "\(ended)")
                    let items = try JSONValue(parsing: ended.output)["streams"]?["items"]
                    return ["fetched", "delivered", "known", "cursor"].map { items?[$0]?.compactText ?? "-" }
                }
                let first = try await counts()
                #expect(first == ["3", "3", "0", #""4000000000000""#])
                // The service has mended the number, and has counted on.
                numbers.withLock { $0 = [1, 2, 3, 4] }
                let stuck = try await counts()
                #expect(stuck == ["0", "0", "0", #""4000000000000""#])
                let rewind = [
                    "connection", "rewind", "ada", "--stream", "items", "--yes", "--state", world.folder + "/state",
                ]
                let rewound = try await BuiltProgram.run(rewind, in: world.folder)
                #expect(rewound.output == "the next run reads from the beginning: items\n", "\(rewound.errors)")
                let next = try await counts()
                #expect(next[0] == "4" && next[3] == #""4""#)
                #expect(try await counts() == ["0", "0", "0", #""4""#])
            }
        )
    }
}
