import PlugStorage
import Testing

/// How a connection stands, from its set-up and from how its runs end.
struct ConnectionStateTests {
    @Test func theSetUpAndTheLastRunsSayHowAConnectionStands() {
        let address = ConnectionTrouble(code: "pda-address", since: 5, runs: 4)
        let away = ConnectionTrouble(code: "pda-unreachable", since: 5, runs: 4)
        let limited = ConnectionTrouble(code: "rate-limited", since: 5, runs: 4)
        let rows: [(ConnectionSetup.Status?, ConnectionTrouble?, ConnectionState)] = [
            (.active, nil, .active), (.active, address, .troubled(.failing, address)),
            (.active, away, .troubled(.waiting, away)), (.active, limited, .troubled(.waiting, limited)),
            (.paused, address, .paused), (.reconnect, away, .reconnect), (.disabled, nil, .disabled),
            (nil, nil, .unscheduled), (nil, address, .troubled(.failing, address)),
        ]
        for (status, trouble, state) in rows { #expect(ConnectionState(status, trouble) == state) }
    }

    @Test func aRunIsTroubleIfItEndsWithAnErrorAndMovesNothing() {
        let rows: [(String, RunTally, ConnectionTrouble.Change)] = [
            ("done", RunTally(), .clear), ("failed", RunTally(error: "pda-address"), .note(code: "pda-address")),
            ("partial", RunTally(error: "rate-limited"), .note(code: "rate-limited")),
            ("partial", RunTally(records: 3, error: "rate-limited", hasMoved: true), .clear),
            ("interrupted", RunTally(error: "interrupted"), .keep), ("failed", RunTally(error: "state-locked"), .keep),
            ("partial", RunTally(error: "run-yielded"), .keep),
        ]
        for (outcome, tally, change) in rows {
            #expect(ConnectionTrouble.Change(outcome: outcome, tally) == change, "\(outcome) \(tally)")
        }
    }
}
