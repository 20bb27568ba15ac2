import TestKit
import Testing

/// What a person reads while a PDA is away.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct OutageTextTests {
    @Test("records that are known and wait are said to wait")
    func knownAndWaiting() async throws {
        let page = (1...300).map { "{\"id\":\($0)}" }.joined(separator: ",")
        try await PlainWorld.with(
            source: { _ in .whole(200, "{\"items\":[\(page)]}") },
            pda: { _ in .whole(503, headers: ["Retry-After": "300"], "{}") },
            { world in
                let arguments = world.arguments.filter { $0 != "--json" } + world.connection("ada")
                func run() async throws -> [String] {
                    let ended = try await BuiltProgram.run(arguments, in: world.folder)
                    #expect(ended.status == 75)
                    #expect(ended.errors.contains("[pda-wait]"), "\(ended.errors)")
                    #expect(ended.errors.contains("; 300 records wait in the outbox\n"), "\(ended.errors)")
                    // The first line has the time that it took.
                    return ended.output.split(separator: "\n").dropFirst().map(String.init)
                }
                let (first, second) = (try await run(), try await run())
                #expect(first == ["  items  300 records: 300 queued", "  outbox: 300 records wait"])
                let line = "  items  300 records: 300 known; 300 of earlier runs wait in the outbox"
                #expect(second == [line, "  outbox: 300 records wait"])
            }
        )
    }
}
