import Foundation
import Glibc
import LosslessJSON
import Synchronization
import TestKit
import Testing

/// `run --connections` as a process.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct ManyRunsTests {
    /// A source that notes who was asked for, and holds one of them back.
    private final class Source: Sendable {
        let held = Mutex<String?>(nil)
        let asked = Mutex<[String]>([])
        let meets: AsyncStream<Void>
        private let tell: AsyncStream<Void>.Continuation

        init() { (meets, tell) = AsyncStream.makeStream() }

        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            let name = String(request.target.dropFirst())
            asked.withLock { $0.append(name) }
            if held.withLock({ $0 }) == name {
                tell.yield()
                return .none
            }
            return .whole(200, #"{"items":[{"id":"\#(name)"}]}"#)
        }

        func takeAsked() -> [String] {
            asked.withLock { asked in
                defer { asked = [] }
                return asked
            }
        }
    }

    @Test("what an interruption has left out is the first next time")
    func fairness() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            let lines = ["ada", "bob", "eve", "zoe"].map { name in
                #"{"connection":"\#(name)","pda":"http://\#(world.pda.authority)","token_file":"\#(world.folder)/token","#
                    + #""config":{"user":"\#(name)"}}"#
            }
            let file = world.folder + "/people.jsonl"
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
            let many = ["--connections", file, "--parallel", "1", "--allow-network", "pda=127.0.0.0/8"]
            source.held.withLock { $0 = "bob" }
            let running = try world.start(many)
            for await _ in source.meets { break }
            kill(running.process.processIdentifier, SIGTERM)
            let ended = try await running.finish()
            #expect(ended.status == 143, "\(ended)")
            #expect(source.takeAsked() == ["ada", "bob"])
            source.held.withLock { $0 = nil }
            let next = try await world.run(many)
            #expect(next.status == 0, "\(next)")
            #expect(source.takeAsked() == ["eve", "zoe", "ada", "bob"])
            #expect(try await world.run(many).status == 0)
            #expect(source.takeAsked() == ["eve", "zoe", "ada", "bob"])
        }
    }
}
