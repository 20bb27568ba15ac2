import Testing

@testable import PlugTesting

struct ReplayClockTests {
    @Test func timePassesOnlyWhileSomebodyWaits() async throws {
        let clock = ReplayClock(Cassette.defaultNow)
        #expect(clock.now() == 1_767_225_600_000_000)
        try await clock.sleep(for: .seconds(90))
        #expect(clock.now() == 1_767_225_690_000_000)
        #expect(clock.random() == 0.5)
    }
}
