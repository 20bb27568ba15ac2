import Foundation
import PlugCore
import TestKit
import Testing

@testable import Scheduling

/// The search compared with slower or foreign ones.
struct CronReferenceTests {
    /// A zone, and days in which its clocks are changed or are not.
    @Test(arguments: [
        ("Europe/Berlin", ["2026-03-25", "2026-10-21", "2026-02-25"]),
        ("America/New_York", ["2026-03-04", "2026-10-28"]),
        ("Australia/Lord_Howe", ["2026-04-01", "2026-09-30"]), ("Asia/Kolkata", ["2027-12-28"]),
        ("Africa/Casablanca", ["2026-02-11", "2026-03-18"]), ("Africa/Cairo", ["2026-04-20", "2026-10-26"]),
        ("America/Havana", ["2026-03-04", "2026-10-28"]), ("Pacific/Apia", ["2011-12-26"]),
        ("America/Nuuk", ["2026-03-25", "2026-10-21"]), ("Pacific/Chatham", ["2026-04-01", "2026-09-23"]),
        ("America/St_Johns", ["2010-11-04", "2010-03-11"]), ("Antarctica/Troll", ["2026-03-25", "2026-10-21"]),
    ])
    func eachMinuteThatMatchesIsFound(name: String, starts: [String]) throws {
        let zone = try zone(name)
        for (number, start) in starts.enumerated() {
            let start = try moment(start) / 1_000_000
            let seconds = stride(from: start - 2 * 86_400, through: start + 7 * 86_400, by: 60)
            let minutes = seconds.map { SlowCron.Minute($0, local: $0 + zone.offset(at: $0)) }
            let end = start + 7 * 86_400
            var numbers = SplitMix(state: UInt64(number))
            for _ in 0..<(Thoroughness.isFull ? 100 : 12) {
                let text = SlowCron.random(&numbers)
                let expression = try CronExpression(text)
                let times = expression.all(after: start * 1_000_000 - 1, through: end * 1_000_000, in: zone)
                #expect(times == SlowCron(text).times(in: minutes, from: start), "\(text) in \(name) from \(start)")
                // Asked just before.
                #expect(times.allSatisfy { expression.next(after: $0 - 1, in: zone) == $0 }, "\(text) in \(name)")
            }
        }
    }

    /// Each line has an expression, a moment and the next times by croniter; `Answers/README.md` tells how it was made.
    @Test func croniterAnswersTheSame() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Answers/croniter.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1000)
        let zone = try zone("UTC")
        for line in lines {
            let columns = line.split(separator: "\t").map(String.init)
            let expression = try CronExpression(columns[0])
            var moment = try #require(Int64(columns[1])) * 1_000_000
            let times = columns[2...].map { _ in
                moment = expression.next(after: moment, in: zone)
                return String(moment / 1_000_000)
            }
            #expect(times == Array(columns[2...]), "\(line)")
        }
    }
}
