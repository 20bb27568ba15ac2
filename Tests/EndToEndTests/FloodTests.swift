import LosslessJSON
import TestKit
import Testing

/// Answers with far too much in their headers, met by the built program.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct FloodTests {
    private static let flood = ["X-Flood": String(repeating: "x", count: 1 << 20)]

    private func run(
        source: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer,
        pda: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer
    ) async throws -> (status: Int32, code: String?, message: String?) {
        var told: (Int32, String?, String?) = (0, nil, nil)
        try await PlainWorld.with(source: source, pda: pda) { world in
            let ended = try await world.run(world.connection("ada"))
            let error = try JSONValue(parsing: ended.output)["error"]
            let message = error?["message"]?.stringText?.replacing(world.source.authority, with: "SOURCE")
            told = (
                ended.status, error?["code"]?.stringText, message?.replacing(world.pda.authority, with: "PDA")
            )
        }
        return told
    }

    @Test("a source with a megabyte of header is not read, and the limit is named")
    func source() async throws {
        let told = try await run(
            source: { _ in .whole(200, headers: Self.flood, #"{"items":[]}"#) },
            pda: PlainWorld.taking
        )
        #expect(told.status == 65 && told.code == "page-unreadable")
        #expect(told.message == "GET http://SOURCE/ada: SOURCE sent a header of more than 64 KiB")
    }

    @Test("what a PDA with a megabyte of header was sent waits, and the limit is named")
    func pda() async throws {
        let told = try await run(
            source: { _ in .whole(200, #"{"items":[{"id":1}]}"#) },
            pda: { _ in .whole(201, headers: Self.flood, "[]") }
        )
        #expect(told.status == 75, "\(told)")
        #expect(told.message?.contains("PDA sent a header of more than 64 KiB") == true, "\(told)")
    }
}
