import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Whatever a service takes its bounds for, windows leave nothing between them out, and ask for little twice.
struct WindowBorderTests {
    private static let day: Int64 = 86_400_000_000
    private static let start = Timestamp("2026-10-01T00:00:00Z")?.microseconds ?? 0

    struct Case: Sendable, CustomStringConvertible {
        var name: String
        var manner: WindowSource.Manner
        /// Of the manifest, beside field, from, send and until.
        var since: String
        /// How much may be asked for twice at a border, in microseconds.
        var granule: Int64
        /// Of the records' times.
        var step: Int64
        /// Whether they are finer than the manifest says, so that a pass may begin again.
        var isFiner = false
        /// How often a pass may read a record.
        var most: Int { isFiner ? 3 : granule == 0 ? 1 : 2 }
        var description: String { name }
    }

    private static func manner(_ format: String, _ resolution: Int64, lower: Bool = true, upper: Bool = true)
        -> WindowSource.Manner
    {
        WindowSource.Manner(format: format, resolution: resolution, includesLower: lower, includesUpper: upper)
    }

    static let cases: [Case] = [
        Case(
            name: "both inclusive, days, a granule",
            manner: manner("date", day),
            since: "window: 7d, granule: 1d",
            granule: 0,
            step: 1000
        ),
        Case(
            name: "both inclusive, days, windows of a day",
            manner: manner("date", day),
            since: "window: 1d, granule: 1d",
            granule: 0,
            step: 1000
        ),
        Case(
            name: "both inclusive, days, nothing said",
            manner: manner("date", day),
            since: "window: 7d",
            granule: day,
            step: 1000
        ),
        Case(
            name: "upper exclusive, days, nothing said",
            manner: manner("date", day, upper: false),
            since: "window: 7d",
            granule: 0,
            step: 1000
        ),
        Case(
            name: "both inclusive, seconds, a granule",
            manner: manner("epoch", 1_000_000),
            since: "window: 6h, granule: 1s",
            granule: 0,
            step: 1_000_000
        ),
        Case(
            name: "both inclusive, whole seconds compared, finer times, a granule",
            manner: manner("epoch", 1_000_000),
            since: "window: 6h, granule: 1s",
            granule: 1_000_000,
            step: 1000,
            isFiner: true
        ),
        Case(
            name: "both inclusive, milliseconds, a granule",
            manner: manner("epoch_ms", 1000),
            since: "window: 90s, granule: 1ms",
            granule: 0,
            step: 1000
        ),
        Case(
            name: "both inclusive, exact comparison, nothing said",
            manner: manner("rfc3339", 1),
            since: "window: 36h",
            granule: 1,
            step: 1
        ),
        Case(
            name: "upper exclusive, exact comparison, nothing said",
            manner: manner("rfc3339", 1, upper: false),
            since: "window: 36h",
            granule: 0,
            step: 1
        ),
        Case(
            name: "upper exclusive, whole seconds sent, finer times compared",
            manner: manner("epoch", 1, upper: false),
            since: "window: 36h",
            granule: 0,
            step: 1
        ),
        Case(
            name: "lower exclusive, seconds, overlap",
            manner: manner("epoch", 1_000_000, lower: false),
            since: "window: 6h, overlap: 1s",
            granule: 0,
            step: 1_000_000
        ),
        Case(
            name: "both exclusive, milliseconds, open",
            manner: manner("epoch_ms", 1000, lower: false, upper: false),
            since: "window: 5h, bounds: open, granule: 1ms",
            granule: 1000,
            step: 1000
        ),
        Case(
            name: "both exclusive, seconds, finer times, open",
            manner: manner("epoch", 1000, lower: false, upper: false),
            since: "window: 5h, bounds: open, granule: 1s",
            granule: 1_000_000,
            step: 1000
        ),
    ]

    private static func yaml(_ test: Case) -> String {
        "http: {base: \"https://api.test\"}\nstreams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, "
            + "records: .items, page: {cursor: {from: .next, param: c}}, since: {field: .at, type: time, from: \"2026-10-01\", "
            + "send: {query: {from: \(test.manner.format)}}, until: {query: {to: \(test.manner.format)}}, \(test.since)}}}\n"
    }

    /// A time on the case's grid, more often near where windows could end.
    private static func time(_ test: Case, upTo end: Int64, _ generator: inout Seeded) -> Int64 {
        let length = end - start
        var time = start + Int64.random(in: 1...length, using: &generator)
        if Bool.random(using: &generator) {
            let grid =
                [day, 6 * day / 24, 5 * day / 24, 36 * day / 24, 7 * day, 90_000_000].randomElement(using: &generator)
                ?? day
            let offsets: [Int64] = [0, -1, 1, -1000, 1000, -1_000_000, 1_000_000, -500_000, 500_000]
            time = start + (time - start) / grid * grid + (offsets.randomElement(using: &generator) ?? 0)
        }
        time -= (time - start) % test.step
        return min(max(time, start + test.step), end)
    }

    @Test(arguments: cases)
    func leavesNothingOutAndAsksForLittleTwice(test: Case) async throws {
        for seed in 1...UInt64(Thoroughness.isFull ? 60 : 12) {
            var generator = Seeded(state: seed &* 77)
            let bench = try Bench(Self.yaml(test))
            let isShort = test.since.contains("90s")
            bench.clock.advance(.seconds(isShort ? -51 * 86_400 - 36_000 : 0))
            let source = WindowSource(test.manner)
            let states = MemoryStates()
            var (added, last) = (0, Self.start)
            var read: [Int: Int] = [:]
            for _ in 0..<3 {
                let now = bench.clock.now()
                for _ in 0..<Int.random(in: 0...25, using: &generator) {
                    // What comes later has a later time.
                    source.add(max(last, Self.time(test, upTo: now, &generator)))
                    added += 1
                }
                last = now
                var ofPass: [Int: Int] = [:]
                var (isComplete, isInterrupted) = (false, false)
                for _ in 0..<400 where !isComplete {
                    let pages =
                        Int.random(in: 0...9, using: &generator) == 0 ? Int.random(in: 1...5, using: &generator) : .max
                    let reading = try await bench.read(from: source, states, pages: pages)
                    #expect(reading.error == nil, "seed \(seed)")
                    isComplete = reading.isComplete
                    isInterrupted = isInterrupted || !isComplete
                    for id in reading.ids { ofPass[id, default: 0] += 1 }
                }
                #expect(isComplete, "seed \(seed)")
                #expect(
                    ofPass.values.allSatisfy { $0 <= test.most },
                    "seed \(seed): \(ofPass.filter { $0.value > 1 })"
                )
                read.merge(ofPass) { $0 + $1 }
                Self.checkBorders(source.windows, test)
                source.forgetWindows()
                bench.clock.advance(.seconds(isShort ? 600 : 86_400 * 3 + 17))
            }
            // What stood beyond the last bound is read by another pass.
            for id in try await bench.read(from: source, states).ids { read[id, default: 0] += 1 }
            #expect(read.count == added, "seed \(seed): \(Set(0..<added).subtracting(read.keys)) are missing")
        }
    }

    /// Windows follow one another, with no more in common than a granule.
    private static func checkBorders(_ windows: [(from: Int64?, to: Int64?)], _ test: Case) {
        for (one, next) in zip(windows, windows.dropFirst()) {
            guard let end = one.to, let begin = next.from, next.from != one.from else { continue }
            // Times finer than the granule have shown: the pass reads from its start again.
            if test.isFiner, let from = one.from, begin < from { continue }
            let reach = max(test.granule, test.manner.format == "date" ? day : 1_000_000)
            #expect(begin - end <= reach && end - begin <= reach, "\(test): \(end) and \(begin)")
        }
    }
}
