import Testing

@testable import Measuring

/// Metrics, and how they are written.
struct MetricRegistryTests {
    private static let runs = MetricFamily("runs_total", .counter, labels: ["plug", "outcome"], help: "Runs.")
    private static let waiting = MetricFamily("waiting", .gauge, help: "What \\ waits\nfor long.")
    private static let time = MetricFamily(
        "time_seconds",
        .histogram(bounds: [0.1, 1]),
        labels: ["side"],
        help: "Time."
    )
    private static let failures = MetricFamily("failures_total", .counter, help: "Failures.")

    private let registry = MetricRegistry([runs, waiting, time, failures])

    @Test func familiesAreWrittenInTheirOrderAndValuesByTheirLabels() {
        registry.add(to: Self.runs, "spotify", "done")
        registry.add(2, to: Self.runs, "github", "failed")
        registry.add(to: Self.runs, "spotify", "done")
        registry.set(Self.waiting, to: 3)
        registry.set(Self.waiting, to: 1.5)
        registry.observe(0.1, in: Self.time, "pda")
        registry.observe(0.5, in: Self.time, "pda")
        registry.observe(7, in: Self.time, "pda")
        #expect(
            registry.text() == """
                # HELP runs_total Runs.
                # TYPE runs_total counter
                runs_total{plug="github",outcome="failed"} 2
                runs_total{plug="spotify",outcome="done"} 2
                # HELP waiting What \\\\ waits\\nfor long.
                # TYPE waiting gauge
                waiting 1.5
                # HELP time_seconds Time.
                # TYPE time_seconds histogram
                time_seconds_bucket{side="pda",le="0.1"} 1
                time_seconds_bucket{side="pda",le="1"} 2
                time_seconds_bucket{side="pda",le="+Inf"} 3
                time_seconds_sum{side="pda"} 7.6
                time_seconds_count{side="pda"} 3
                # HELP failures_total Failures.
                # TYPE failures_total counter
                failures_total 0

                """
        )
    }

    @Test func aHostileLabelStaysInItsQuotes() {
        registry.add(to: Self.runs, "a\"} 1\nb", "\\")
        #expect(registry.text().contains("runs_total{plug=\"a\\\"} 1\\nb\",outcome=\"\\\\\"} 1\n"))
    }

    @Test func aFamilyHoldsSoManyCombinationsAndCountsOthersTogether() {
        let count = MetricRegistry.setLimit + 100
        for number in 0..<count { registry.add(to: Self.runs, "plug-\(number)", "done") }
        registry.add(to: Self.runs, "plug-0", "done")
        let lines = registry.text().split(separator: "\n").filter { $0.hasPrefix("runs_total") }
        #expect(lines.count == MetricRegistry.setLimit + 1)
        #expect(lines.contains("runs_total{plug=\"other\",outcome=\"other\"} 100"))
        #expect(lines.contains("runs_total{plug=\"plug-0\",outcome=\"done\"} 2"))
    }

    @Test func aGaugeThatIsReplacedForgetsWhatIsGone() {
        let states = MetricFamily("states", .gauge, labels: ["state"], help: "States.")
        let registry = MetricRegistry([states])
        registry.replace(states, with: [(["active"], 2), (["paused"], 1)])
        registry.replace(states, with: [(["active"], 3)])
        #expect(registry.text() == "# HELP states States.\n# TYPE states gauge\nstates{state=\"active\"} 3\n")
    }

    @Test func namesFollowPrometheusConventions() throws {
        let names = HostMetrics.all.map(\.name)
        #expect(Set(names).count == names.count)
        for family in HostMetrics.all {
            let isOurs = family.name.hasPrefix("plughost_") || family.name.hasPrefix("process_")
            #expect(isOurs, "\(family.name)")
            #expect((family.kind == .counter) == family.name.hasSuffix("_total"), "\(family.name)")
            #expect(family.help.hasSuffix("."), "\(family.name)")
            for label in family.labels {
                let known = [
                    "plug", "outcome", "code", "fate", "side", "status", "state", "version", "target", "result",
                ]
                #expect(known.contains(label))
            }
        }
    }

    @Test func whatTheProcessTakesIsRead() throws {
        let registry = MetricRegistry(HostMetrics.all)
        ProcessFigures(startedAt: 1_700_000_000).read(into: registry)
        let text = registry.text()
        #expect(text.contains("\nprocess_start_time_seconds 1700000000\n"))
        for name in [
            "process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds", "process_max_fds",
        ] {
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }, "\(name)")
            let value = try #require(line.split(separator: " ").last.flatMap { Double($0) })
            #expect(value > 0, "\(name)")
        }
    }
}
