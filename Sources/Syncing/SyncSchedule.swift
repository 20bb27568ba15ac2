package import PlugCore
package import PlugManifest
package import Scheduling

/// A host's scheduling settings.
package struct HostRhythm: Sendable, Equatable {
    /// How often streams run if neither the person nor the plug says so.
    package var every: Duration
    /// Hours in which no run begins; `nil` for none.
    package var quietHours: QuietHours?

    /// A rhythm.
    package init(every: Duration = .seconds(3_600), quietHours: QuietHours? = nil) {
        self.every = every
        self.quietHours = quietHours
    }
}

/// When the streams of a connection are due.
package struct SyncSchedule: Sendable {
    private let streams: [(name: String, schedule: Schedule)]
    /// Whether all streams follow one rhythm.
    private let isUniform: Bool

    /// The schedule of a plan: its own, or else that of each stream.
    ///
    /// - Throws: `PlugError` `bad-interval`, `bad-cron`, `cron-never`, `zone-unknown`, `unknown-stream`, all configuration.
    package init(
        _ plan: ConnectionPlan,
        _ manifest: Manifest,
        _ host: HostRhythm = HostRhythm()
    ) throws(PlugError) {
        let delivered = manifest.streams.filter { $0.path != nil }
        for name in plan.streams ?? [] where !delivered.contains(where: { $0.name == name }) {
            throw PlugError(
                .unknownStream,
                exit: .configuration,
                "the plug '\(manifest.id)' delivers no stream '\(DisplayText.escaped(name))'",
                advice: "its streams are: \(delivered.map(\.name).joined(separator: ", "))"
            )
        }
        let own = try Self.own(plan)
        var streams: [(name: String, schedule: Schedule)] = []
        for stream in delivered where plan.streams?.contains(stream.name) ?? true {
            var schedule = if let own { own } else { try Self.schedule(of: stream, host) }
            schedule.quietHours = host.quietHours
            streams.append((stream.name, schedule))
        }
        isUniform = streams.allSatisfy { $0.schedule == streams[0].schedule }
        self.streams = streams
    }

    /// When any of the streams is next due.
    ///
    /// - Parameters:
    ///   - last: When the run that is now ending began.
    ///   - now: The time.
    package func next(after last: Int64, now: Int64, of connection: ConnectionID) -> Int64 {
        let phase = Phase(of: connection.name)
        if isUniform { return streams.first?.schedule.due(after: last, now: now, phase: phase) ?? .max }
        // Each keeps its own times; a run for one does not count for the others.
        let times = streams.map { max(now, $0.schedule.time(after: min(last, now), phase: phase)) }
        return afterQuiet(times.min() ?? .max, of: connection)
    }

    /// The given moment, or one after the host's quiet hours if it is within them.
    package func afterQuiet(_ moment: Int64, of connection: ConnectionID) -> Int64 {
        streams.first?.schedule.afterQuiet(moment, phase: Phase(of: connection.name)) ?? moment
    }

    /// The streams that are due; all if there is one rhythm, and before the first run.
    ///
    /// - Parameter ranAt: When the last run that counts began.
    package func streams(dueAt now: Int64, ranAt: Int64?, of connection: ConnectionID) -> [String] {
        let phase = Phase(of: connection.name)
        guard let ranAt, ranAt <= now, !isUniform else { return streams.map(\.name) }
        let due = streams.filter { $0.schedule.time(after: ranAt, phase: phase) <= now }.map(\.name)
        // A run was requested between the scheduled times.
        return due.isEmpty ? streams.map(\.name) : due
    }

    private static func own(_ plan: ConnectionPlan) throws(PlugError) -> Schedule? {
        do {
            if let cron = plan.cron {
                return Schedule(.cron(try CronExpression(cron), try zone(plan.zone ?? "UTC"), spread: true))
            }
            return try plan.every.map { text throws(ScheduleFault) in Schedule(.every(try Interval(text))) }
        } catch { throw error.plugError }
    }

    private static func zone(_ name: String) throws(ScheduleFault) -> NamedZone { try NamedZone.forSchedules(name) }

    private static func schedule(of stream: Stream, _ host: HostRhythm) throws(PlugError) -> Schedule {
        do { return Schedule(.every(try Interval(stream.options.every ?? host.every))) } catch { throw error.plugError }
    }
}
