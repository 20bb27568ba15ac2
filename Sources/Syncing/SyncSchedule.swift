package import PlugCore
package import PlugManifest
package import Scheduling

/// What a host says of schedules.
package struct HostRhythm: Sendable, Equatable {
    /// How often streams run for which neither the person nor the plug says anything.
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
    /// Whether all follow one rhythm.
    private let isUniform: Bool

    /// The schedule of a plan: its own, else that of each stream.
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

    /// When any of the streams is due next.
    ///
    /// - Parameters:
    ///   - last: When the run that ends now began.
    ///   - now: The time.
    package func next(after last: Int64, now: Int64, of connection: ConnectionID) -> Int64 {
        let phase = Phase(of: connection.name)
        if isUniform { return streams.first?.schedule.due(after: last, now: now, phase: phase) ?? .max }
        // Each keeps its own times; a run for one of them is none for the others.
        let times = streams.map { max(now, $0.schedule.time(after: min(last, now), phase: phase)) }
        return afterQuiet(times.min() ?? .max, of: connection)
    }

    /// The moment itself, or where it lies in the host's quiet hours, one after them.
    package func afterQuiet(_ moment: Int64, of connection: ConnectionID) -> Int64 {
        streams.first?.schedule.afterQuiet(moment, phase: Phase(of: connection.name)) ?? moment
    }

    /// The streams that are due; all where there is one rhythm, and before the first run.
    ///
    /// - Parameter ranAt: When the last run began that counts.
    package func streams(dueAt now: Int64, ranAt: Int64?, of connection: ConnectionID) -> [String] {
        let phase = Phase(of: connection.name)
        guard let ranAt, ranAt <= now, !isUniform else { return streams.map(\.name) }
        let due = streams.filter { $0.schedule.time(after: ranAt, phase: phase) <= now }.map(\.name)
        // Somebody has asked for a run between the times.
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
        do { return Schedule(.every(try Interval(stream.every ?? host.every))) } catch { throw error.plugError }
    }
}
