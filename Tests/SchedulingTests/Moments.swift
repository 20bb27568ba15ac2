import PlugCore
import Testing

@testable import Scheduling

/// The microseconds of a written time.
func moment(_ text: String) throws -> Int64 { try #require(Timestamp(text), "\(text)").microseconds }

/// The written time of microseconds.
func text(_ moment: Int64) -> String { Timestamp(microseconds: moment).rfc3339 }

func zone(_ name: String) throws -> NamedZone { try NamedZone.forSchedules(name) }

let minute: Int64 = 60_000_000
let hour: Int64 = 60 * minute
let day: Int64 = 24 * hour

extension CronExpression {
    /// So many times after a moment, as clocks of the zone show them: `03-29 03:00 +2`.
    func shown(_ count: Int, after start: String, in zone: NamedZone) throws -> [String] {
        var moment = try moment(start)
        return (0..<count).map { _ in
            moment = next(after: moment, in: zone)
            let offset = zone.offset(at: moment / 1_000_000)
            let local = Timestamp(microseconds: moment + offset * 1_000_000).rfc3339
            let hours = offset % 3600 == 0 ? "\(offset / 3600)" : "\(Double(offset) / 3600)"
            return "\(local.dropFirst(5).prefix(5)) \(local.dropFirst(11).prefix(5)) \(offset < 0 ? "" : "+")\(hours)"
        }
    }

    /// All times after a moment, up to another one.
    func all(after start: Int64, through end: Int64, in zone: NamedZone) -> [Int64] {
        var times: [Int64] = []
        var moment = next(after: start, in: zone)
        while moment <= end {
            times.append(moment)
            moment = next(after: moment, in: zone)
        }
        return times
    }
}
