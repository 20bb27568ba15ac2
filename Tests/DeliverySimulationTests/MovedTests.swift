import Testing

/// Things that move while a list is read.
struct MovedTests {
    /// What changes moves to the front of a list that gives the newest first. A run that goes on where another one has died finds it
    /// nowhere.
    @Test func aThingThatMovesPastAnInterruptedPassIsNotMissing() async throws {
        try await Story.tell {
            let scenario = Scenario(
                streams: [StreamShape(name: "things", order: .newestFirst, deletes: .missing)],
                rounds: [Scenario.added(5), [], [.change(person: 0, stream: 0, index: 0)]]
            )
            var effect = 1
            while try await scenario.dies(Crash(effect: effect, moment: .before), round: 1) != nil { effect += 1 }
        }
    }
}
