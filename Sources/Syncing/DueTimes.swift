internal import LosslessJSON
package import PlugCore
package import PlugStorage
internal import Synchronization

/// Recalculates when connections are due if the stored times no longer apply: the clock was set back, or their schedules changed.
///
/// Due times are stored as absolute times. If the clock was a day ahead when one was written, the connection would wait an extra
/// day.
package struct DueTimes: Sendable {
    /// The note with the latest time that a host has seen.
    static let noteName = "host clock"
    /// Smaller steps are normal for disciplined clocks; in microseconds.
    private static let tolerance: Int64 = 60_000_000
    /// How often the time is recorded, in microseconds.
    private static let noteInterval: Int64 = 600_000_000
    /// How many set-ups are processed at a time.
    private static let step = 256

    private let store: any PlugStore
    private let plugs: HostPlugs
    private let clock: any HostClock
    private let bell: Bell
    private let seen = Seen()

    /// - Parameters:
    ///   - store: Holds the due times.
    ///   - plugs: The plugs that are served.
    ///   - clock: Time.
    ///   - bell: Rung when something may be due sooner.
    package init(store: any PlugStore, plugs: HostPlugs, clock: any HostClock, bell: Bell) {
        self.store = store
        self.plugs = plugs
        self.clock = clock
        self.bell = bell
    }

    /// Checks whether the clock was set back since the last look, or since another process recorded the time, and corrects due
    /// times written before that.
    ///
    /// - Returns: By how much, and how many due times changed; `nil` if it was not set back.
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
        // Only now, so that a failed correction is repeated.
        if seen.note(now, steady, unlessWithin: Self.noteInterval) || found != nil {
            let bytes = JSONValue.members(("at", .integer(Int(now)))).compactText
            // Longer than any clock is off; a note that ends much later is attributed to a wrong clock.
            let note = ServerNote(name: Self.noteName, bytes: Array(bytes.utf8), expiresAt: now + 366 * 86_400_000_000)
            try await store.keepServerNotes([note])
        }
        return found
    }

    /// Recalculates when connections are due.
    ///
    /// - Parameters:
    ///   - ids: The plugs whose connections to recalculate; `nil` for all.
    ///   - back: By how much the clock was set back.
    /// - Returns: How many due times changed.
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
        // A retry, or a requested run: as far from now as it was then.
        let moved = back > 0 ? min(setup.dueAt, max(now, setup.dueAt - back)) : setup.dueAt
        guard setup.isPlanned, let ranAt = setup.ranAt, let manifest = plugs.manifests[setup.plug],
            let plan = try? ConnectionPlan(content: setup.content, of: setup.connection),
            let schedule = try? SyncSchedule(plan, manifest, plugs.rhythm)
        else { return moved }
        return schedule.next(after: ranAt, now: now, of: setup.connection)
    }
}

/// The readings of the clocks at the last look.
private final class Seen: Sendable {
    private struct State {
        var wall: Int64
        var steady: SteadyTime
        var writtenAt: Int64?
    }

    private let state = Mutex<State?>(nil)

    /// What the clock should show now; `nil` if that cannot be known.
    func expected(at steady: SteadyTime) -> Int64? {
        state.withLock { state in
            guard let state, state.steady.era == steady.era else { return nil }
            return state.wall + (steady.microseconds - state.steady.microseconds)
        }
    }

    /// Records the readings.
    ///
    /// - Returns: Whether it is time to store them.
    func note(_ wall: Int64, _ steady: SteadyTime, unlessWithin interval: Int64) -> Bool {
        state.withLock { state in
            let written = state?.writtenAt
            let isDue = written.map { wall >= $0 + interval || wall < $0 } ?? true
            state = State(wall: wall, steady: steady, writtenAt: isDue ? wall : written)
            return isDue
        }
    }
}
