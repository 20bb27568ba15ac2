import LosslessJSON
import PlugCore
import Testing

/// A clock whose two faces are set by hand.
private struct TwoFaces: HostClock {
    var wall: Int64
    var time: SteadyTime
    func now() -> Int64 { wall }
    func steady() -> SteadyTime { time }
    func sleep(for duration: Duration) async throws {}
    func random() -> Double { 0 }
}

private func mark(_ era: String, steady: Int64, wall: Int64) -> SteadyMark {
    SteadyMark(TwoFaces(wall: wall, time: SteadyTime(era: era, microseconds: steady)))
}

struct SteadyTimeTests {
    @Test func withinABootTheRealTimeClockMayBeSet() {
        let written = mark("a", steady: 100, wall: 5_000)
        #expect(written.shift(to: mark("a", steady: 250, wall: 9_999_999)) == 0)
        #expect(written.shift(to: mark("a", steady: 250, wall: -7)) == 0)
    }

    @Test func afterABootTheRealTimeClockTells() {
        // 1,000 later by the real time clock; the new boot began 40 before that.
        let shift = mark("a", steady: 100, wall: 5_000).shift(to: mark("b", steady: 40, wall: 6_000))
        #expect(100 + shift == 40 - 1_000)
    }

    @Test func aSteadyClockThatWentBackIsOfAnotherMachine() {
        let shift = mark("a", steady: 100, wall: 5_000).shift(to: mark("a", steady: 90, wall: 5_010))
        #expect(100 + shift == 80)
    }

    @Test func aMarkIsReadAsItWasWritten() {
        let written = mark("a", steady: 100, wall: 5_000)
        var object = JSONObject()
        written.write(to: &object)
        #expect(SteadyMark(.object(object)) == written)
        #expect(SteadyMark(.object(JSONObject())) == nil)
        #expect(written.wall(of: 150) == 5_050)
        #expect(written.wall(of: .max) == .max)
    }

    @Test func theMachinesClockIsOfThisBootAndGoesForward() {
        let clock = SystemClock()
        let (first, second) = (clock.steady(), clock.steady())
        #expect(first.era == second.era && !first.era.isEmpty)
        #expect(first.microseconds > 0 && first.microseconds <= second.microseconds)
    }
}
