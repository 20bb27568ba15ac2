import PlugCore
import TestKit
import Testing

@testable import Throttling

struct RetryingSenderTests {
    private let clock = MovableClock(seconds: 0)

    /// Sends with three tries, each of which comes to the next one of `answers`.
    private func send(_ answers: [RetryingSender.Verdict<String>]) async throws -> (end: String, log: [String]) {
        var log: [String] = []
        var left = answers[...]
        let patience = RetryPolicy.Patience.each(.seconds(60))
        let policy = RetryPolicy(tries: 3, backoff: Backoff(), patience: patience)
        let outcome = try await RetryingSender(policy, clock: clock).send { attempt in
            let before = attempt.last.map { " after \($0.error.message)" } ?? ""
            log.append("try\(attempt.isRetry ? " again" : "")\(before)")
            return left.removeFirst()
        } waiting: { wait in
            log.append("wait \(wait.length) at \(clock.now()) for \(wait.failure.error.message)")
        }
        switch outcome {
        case .done(let answer): return (answer, log)
        case .exhausted(let last): return ("exhausted: \(last.error.message)", log)
        case .tooLong(let wait, let last): return ("too long: \(wait) for \(last.error.message)", log)
        }
    }

    private func failed(_ message: String, isLimit: Bool = false, _ asked: Duration? = nil) -> FailedTry {
        FailedTry(PlugError(.interrupted, message), isLimit: isLimit, asked: asked)
    }

    @Test func onlyATryThatNobodyAskedForIsASecondOne() async throws {
        let answers: [RetryingSender.Verdict<String>] = [
            .again(failed("a", isLimit: true, .seconds(7))), .again(failed("b")), .done("answer"),
        ]
        let (end, log) = try await send(answers)
        #expect(end == "answer")
        #expect(
            log == [
                "try", "wait 7.0 seconds at 0 for a", "try after a", "wait 1.0 seconds at 7000000 for b",
                "try again after b",
            ]
        )
    }

    @Test func givesTheLastOfAllTries() async throws {
        let (end, log) = try await send(["a", "b", "c"].map { .again(failed($0)) })
        #expect(end == "exhausted: c")
        #expect(log.count == 5)
    }

    @Test func saysHowLongItWouldHaveToWait() async throws {
        #expect(try await send([.again(failed("a", .seconds(61)))]).end == "too long: 61.0 seconds for a")
    }

    @Test func isInterruptedWhileItWaits() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await send([]).end
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func backsOffForWhatWasTakenForAnAnswer() async throws {
        let policy = RetryPolicy(tries: 1, backoff: Backoff(maximum: .seconds(60)), patience: .each(.zero))
        var waits: [Duration] = []
        for failures in [1, 4] {
            try await RetryingSender(policy, clock: clock).backOff(after: failures) { waits.append($0) }
        }
        #expect(waits == [.milliseconds(500), .seconds(4)])
        #expect(clock.now() == 4_500_000)
    }
}
