import Foundation
import LosslessJSON
import Synchronization
import TestKit
import Testing

/// Two processes that share a state folder.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct TwoProcessesTests {
    /// A source that answers the first request of some users only when all of them have been asked for, or when it is told to.
    private final class Source: Sendable {
        private struct State {
            var missing: Set<String>
            var times: [ContinuousClock.Instant] = []
        }

        let isMet: AsyncStream<Void>
        private let tell: AsyncStream<Void>.Continuation
        private let state: Mutex<State>
        /// Those who wait, each on its own thread.
        private let door = DispatchSemaphore(value: 0)

        init(meets names: Set<String>) {
            state = Mutex(State(missing: names))
            (isMet, tell) = AsyncStream.makeStream()
        }

        var times: [ContinuousClock.Instant] { state.withLock { $0.times } }

        func open(_ waiting: Int) { for _ in 0..<waiting { door.signal() } }

        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            let name = String(request.target.dropFirst())
            let (isHeld, isLast) = state.withLock { state in
                state.times.append(.now)
                guard state.missing.remove(name) != nil else { return (false, false) }
                return (true, state.missing.isEmpty)
            }
            if isLast { tell.yield() }
            if isHeld { door.wait() }
            return .whole(200, #"{"items":[{"id":"\#(name)"}]}"#)
        }
    }

    @Test("a slow source of one connection holds up no other process")
    func leases() async throws {
        let source = Source(meets: ["ada"])
        try await PlainWorld.with(source: source.answer) { world in
            let slow = try world.start(world.connection("ada") + ["--config", "user=ada"])
            for await _ in source.isMet { break }
            // Ada's process is in the middle of its run, and has her connection.
            let other = try await world.run(world.connection("bob") + ["--config", "user=bob"])
            #expect(other.status == 0, "\(other)")
            let same = try await world.run(world.connection("ada") + ["--config", "user=ada"])
            #expect(same.status == 75)
            #expect(try JSONValue(parsing: same.output)["error"]?["code"] == .text("state-locked"))
            #expect(slow.process.isRunning)
            source.open(1)
            let ended = try await slow.finish()
            #expect(ended.status == 0, "\(ended)")
            #expect(try JSONValue(parsing: ended.output)["streams"]?["items"]?["delivered"] == .integer(1))
        }
    }

    @Test("two processes keep to one rate together")
    func rates() async throws {
        let source = Source(meets: ["a0", "b0"])
        try await PlainWorld.with(http: ", limits: [{rate: 5/1s}]", source: source.answer) { world in
            var processes: [BuiltProgram.Running] = []
            for process in ["a", "b"] {
                let lines = (0..<8).map { number in
                    let name = "\(process)\(number)"
                    return #"{"connection":"\#(name)","pda":"http://\#(world.pda.authority)","#
                        + #""token_file":"\#(world.folder)/token","config":{"user":"\#(name)"}}"#
                }
                let file = world.folder + "/\(process).jsonl"
                try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
                processes.append(try world.start(["--connections", file, "--parallel", "1"]))
            }
            // Both are under way at once.
            for await _ in source.isMet { break }
            source.open(2)
            for process in processes {
                let ended = try await process.finish()
                #expect(ended.status == 0, "\(ended)")
                #expect(try JSONValue(parsing: ended.output)["done"] == .integer(8))
            }
            let times = source.times
            #expect(times.count == 16)
            // Of any six requests the last was sent a second after the first. The service may notice one late, but never more
            // than one: each process sends the next when the last was answered. So two more are counted.
            for (first, eighth) in zip(times, times.dropFirst(7)) { #expect(eighth - first >= .seconds(1)) }
        }
    }
}
