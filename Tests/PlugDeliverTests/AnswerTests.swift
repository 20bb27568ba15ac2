import PlugCore
import PlugDeliver
import TestKit
import Testing

/// What each answer leads to when it is the only one that the PDA gives.
struct AnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var fault: Fault
        var code: String
        var exit: PlugCore.ExitStatus
        var requests: Int
        var testDescription: String { "\(fault) → \(code)" }
    }

    /// What may be the content's fault is tried five times, then with each record alone.
    static let rows: [Row] = [
        Row(fault: .unauthorised, code: "pda-token", exit: .authorisation, requests: 1),
        Row(fault: .forbidden, code: "pda-forbidden", exit: .authorisation, requests: 1),
        Row(fault: .login, code: "pda-login", exit: .authorisation, requests: 1),
        Row(fault: .elsewhere, code: "pda-redirect", exit: .unreachable, requests: 1),
        Row(fault: .noSuchPath, code: "pda-path", exit: .configuration, requests: 1),
        Row(fault: .busyDatabase, code: "pda-unavailable", exit: .tryLater, requests: 5),
        Row(fault: .failsBefore, code: "pda-failing", exit: .tryLater, requests: 7),
        Row(fault: .lostBefore, code: "pda-no-answer", exit: .tryLater, requests: 7),
        Row(fault: .rateExceeded, code: "pda-busy", exit: .tryLater, requests: 5),
        Row(fault: .html200, code: "pda-answer", exit: .unreachable, requests: 7),
        Row(fault: .html400, code: "pda-answer", exit: .unreachable, requests: 7),
        Row(fault: .noSuchHost, code: "pda-unreachable", exit: .unreachable, requests: 5),
        Row(fault: .noConnection, code: "pda-unreachable", exit: .unreachable, requests: 5),
        Row(fault: .badCertificate, code: "pda-tls", exit: .unreachable, requests: 1),
    ]

    @Test(arguments: rows)
    func endsTheRunAndCondemnsNoRecord(row: Row) async {
        let pda = ModelPDA { _ in row.fault }
        let receipt = await deliverer(to: pda).deliver(block([record(0), record(1)])) { _ in 9 }
        #expect(receipt.fates == [.undelivered, .undelivered])
        #expect(receipt.stop?.code.text == row.code)
        #expect(receipt.stop?.exit == row.exit)
        #expect(receipt.requests == row.requests)
        #expect(pda.stored == [])
        #expect(receipt.stop?.description.contains("token\"") == false)
    }

    @Test func backingOffDoublesItsCeilingWithJitter() async {
        let clock = FakeClock(fixed: 0.5)
        _ = await deliverer(to: ModelPDA { _ in .failsBefore }, clock: clock).deliver(block([record(0), record(1)]))
        #expect(clock.waits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
    }

    @Test func retryAfterIsHonouredAndDoesNotUseUpTries() async {
        let clock = FakeClock(fixed: 0)
        let pda = ModelPDA { $0 < 8 ? .later : .none }
        let receipt = await deliverer(to: pda, clock: clock).deliver(block([record(0), record(1)]))
        #expect(receipt.fates == [.delivered, .delivered])
        #expect(clock.waits == Array(repeating: .seconds(7), count: 8))
    }

    @Test func aWaitThatIsTooLongEndsTheRunAndSaysUntilWhen() async {
        let clock = FakeClock(fixed: 0)
        let pda = ModelPDA { _ in .later }
        let receipt = await deliverer(to: pda, clock: clock) { $0.maximumWait = .seconds(6) }
            .deliver(block([record(0), record(1)]))
        #expect(clock.waits == [])
        #expect(receipt.stop?.code == "pda-wait")
        #expect(receipt.stop?.exit == .tryLater)
        let moment = Timestamp(microseconds: clock.now() + 7_000_000).rfc3339
        #expect(receipt.stop?.message == "the PDA asks plughost to send no requests before \(moment)")
    }

    @Test func htmlIsNamedAsSuch() async {
        let receipt = await deliverer(to: ModelPDA { _ in .html200 }).deliver(block([record(0), record(1)]))
        #expect(
            receipt.stop?.message
                == "https://alice.example/api/v2.6/data/plugs/things/new answered 200 with an HTML page"
        )
    }
}
