import PlugCore
import Synchronization

/// All processes of a simulation run here, one step at a time: no time passes between a limiter's yes and the request.
@globalActor actor Simulation { static let shared = Simulation() }

/// A machine whose true time passes only while somebody waits, whose real-time clock may be set, and which may be booted.
final class SimulatedMachine: HostClock {
    private struct State {
        var time: Int64 = 0
        var setBy: Int64 = 0
        var boot: (era: Int, at: Int64) = (0, 0)
    }

    private let state = Mutex(State())

    /// The true time, from 0: what everybody else's clock says.
    var time: Int64 { state.withLock { $0.time } }
    func now() -> Int64 { state.withLock { 1_795_000_000_000_000 + $0.time + $0.setBy } }
    func steady() -> SteadyTime {
        state.withLock { SteadyTime(era: "\($0.boot.era)", microseconds: $0.time - $0.boot.at) }
    }
    func random() -> Double { 0.5 }
    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        pass(duration)
        await Task.yield()
    }

    /// Lets time pass.
    func pass(_ duration: Duration) { state.withLock { $0.time += max(1, Int64(duration / .microseconds(1))) } }
    /// Sets the real-time clock.
    func set(by offset: Int64) { state.withLock { $0.setBy = offset } }
    /// Boots the machine; its steady clock begins anew.
    func boot() { state.withLock { $0.boot = ($0.boot.era + 1, $0.time) } }
}

/// A small generator whose numbers depend on its seed alone.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
