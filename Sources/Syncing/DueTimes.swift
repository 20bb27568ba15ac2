internal import LosslessJSON
package import PlugCore
package import PlugStorage
internal import Synchronization

/// Works out anew when connections are due, where what they were told does not hold any more: the clock was set back, or they are
/// scheduled otherwise.
///
/// When a connection is due stands in the store as a moment. Were the clock ahead by a day when it was written, the connection would
/// wait for a day more.
package struct DueTimes: Sendable {
    /// The note with the latest time that a host has seen.
    static let noteName = "host clock"
    /// What is less than this, clocks that are disciplined do all the time; in microseconds.
    private static let tolerance: Int64 = 60_000_000
    /// How often the time is written down, in microseconds.
    private static let noteInterval: Int64 = 600_000_000
    /// How many set-ups are in hand at a time.
    private static let step = 256

    private let store: any PlugStore
    private let plugs: HostPlugs
    private let clock: any HostClock
    private let bell: Bell
    private let seen = Seen()

    /// - Parameters:
    ///   - store: What is due.
    ///   - plugs: The plugs that are served.
    ///   - clock: Time.
    ///   - bell: Rung where something may be due sooner.
    package init(store: any PlugStore, plugs: HostPlugs, clock: any HostClock, bell: Bell) {
        self.store = store
        self.plugs = plugs
        self.clock = clock
        self.bell = bell
    }

    /// Looks whether the clock was set back since the last time, or since another process wrote down what it was, and puts right
    /// what was told before.
    ///
    /// - Returns: By how much it was, and how many connections are due at other times; `nil` where it was not.
    package func look() async throws -> (by: Duration, count: Int)? {
        let (now, steady) = (clock.now(), clock.steady())
        var expected = seen.expected(at: steady)
        if expected == nil, let note = try await store.serverNote(Self.noteName) {
            expected = (try? JSONValue(parsing: note.bytes))?["at"]?.number?.int64
        }
        let back = (expected ?? now) - now
        var found: (by: Duration, count: Int)?
        if back > Self.tolerance {
            found = (.microseconds(back), try await reconsider(nil, settingBack: back))
        }
        // Only then: what failed is done again.
        if seen.note(now, steady, unlessWithin: Self.noteInterval) || found != nil {
            let bytes = JSONValue.members(("at", .integer(Int(now)))).compactText
            // Longer than any clock is off; a note that ends much later is taken for one of a wrong clock.
            let note = ServerNote(name: Self.noteName, bytes: Array(bytes.utf8), expiresAt: now + 366 * 86_400_000_000)
            try await store.keepServerNotes([note])
        }
        return found
    }

    /// Works out anew when connections are due.
    ///
    /// - Parameters:
    ///   - ids: The plugs whose connections are meant; `nil` for all.
    ///   - back: By how much the clock was set back.
    /// - Returns: How many are due at another time now.
    package func reconsider(_ ids: Set<String>?, settingBack back: Int64 = 0) async throws -> Int {
        if let ids, ids.isEmpty { return 0 }
        let plugs = plugs.current
        var (name, count) = ("", 0)
        while true {
            try Task.checkCancellation()
            let setups = try await store.plannedSetups(after: name, limit: Self.step)
            guard let last = setups.last else { break }
            name = last.connection.name
            let changed = setups.compactMap { setup -> PlannedSetup? in
                guard ids?.contains(setup.plug) ?? true else { return nil }
                var changed = setup
                changed.dueAt = due(setup, plugs, back)
                return changed.dueAt == setup.dueAt ? nil : changed
            }
            if !changed.isEmpty {
                count += try await store.reschedule(changed)
                bell.ring()
            }
        }
        return count
    }

    private func due(_ setup: PlannedSetup, _ plugs: HostPlugs.Content, _ back: Int64) -> Int64 {
        let now = clock.now()
        // A second try, or somebody's wish: as long from now as it was then.
        let moved = back > 0 ? min(setup.dueAt, max(now, setup.dueAt - back)) : setup.dueAt
        guard setup.isPlanned, let ranAt = setup.ranAt, let manifest = plugs.manifests[setup.plug],
            let plan = try? ConnectionPlan(content: setup.content, of: setup.connection),
            let schedule = try? SyncSchedule(plan, manifest, plugs.rhythm)
        else { return moved }
        return schedule.next(after: ranAt, now: now, of: setup.connection)
    }
}

/// What the clocks showed when they were looked at last.
private final class Seen: Sendable {
    private struct State {
        var wall: Int64
        var steady: SteadyTime
        var writtenAt: Int64?
    }

    private let state = Mutex<State?>(nil)

    /// What the clock should show now; `nil` where that cannot be known.
    func expected(at steady: SteadyTime) -> Int64? {
        state.withLock { state in
            guard let state, state.steady.era == steady.era else { return nil }
            return state.wall + (steady.microseconds - state.steady.microseconds)
        }
    }

    /// Notes what they show.
    ///
    /// - Returns: Whether it is time to write it down.
    func note(_ wall: Int64, _ steady: SteadyTime, unlessWithin interval: Int64) -> Bool {
        state.withLock { state in
            let written = state?.writtenAt
            let isDue = written.map { wall >= $0 + interval || wall < $0 } ?? true
            state = State(wall: wall, steady: steady, writtenAt: isDue ? wall : written)
            return isDue
        }
    }
}
