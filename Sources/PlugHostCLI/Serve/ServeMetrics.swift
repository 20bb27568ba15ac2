internal import Measuring
internal import Noticing
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// A serving host's metrics. Labels come from the plugs that it serves and from lists of ours, so they are bounded.
struct ServeMetrics: Sendable {
    /// A minute in microseconds.
    private static let minute: Int64 = 60_000_000

    private let registry: MetricRegistry
    private let process: ProcessFigures
    private let store: any PlugStore & NoticeStore
    private let clock: any HostClock

    init(_ registry: MetricRegistry, _ store: any PlugStore & NoticeStore, clock: any HostClock) {
        (self.registry, self.store, self.clock) = (registry, store, clock)
        process = ProcessFigures(startedAt: Double(clock.now()) / 1_000_000)
        registry.set(HostMetrics.build, PlugHostProgram.version, to: 1)
        registry.set(HostMetrics.activeRuns, to: 0)
    }

    /// Handles a runner's event, from any thread.
    func note(_ event: SyncRunner.Event) {
        switch event {
        case .began(let claim, at: let startedAt):
            registry.add(1, to: HostMetrics.activeRuns)
            registry.observe(max(0, Double(startedAt - claim.dueAt) / 1_000_000), in: HostMetrics.lateness)
        case .ended(let report, _): ended(report)
        case .failed(let claim, let error):
            registry.add(to: HostMetrics.runs, claim.plug, "not_begun")
            registry.add(to: HostMetrics.runErrors, claim.plug, error.code.text)
        case .during: break
        }
    }

    /// Handles a scheduler's event, from any thread.
    func note(_ event: SyncScheduler.Event) {
        if case .storeFailed = event { registry.add(to: HostMetrics.storeFailures) }
    }

    /// Handles an event about notices, from any thread.
    func note(_ event: Noticing.Event) {
        switch event {
        case .sent(let target): registry.add(to: HostMetrics.notices, target, "sent")
        case .failed(let target, _, _): registry.add(to: HostMetrics.notices, target, "failed")
        case .dropped(let target, _): registry.add(to: HostMetrics.notices, target, "dropped")
        case .storeFailed: registry.add(to: HostMetrics.storeFailures)
        case .made: break
        }
    }

    private func ended(_ report: RunReport) {
        registry.add(-1, to: HostMetrics.activeRuns)
        registry.add(to: HostMetrics.runs, report.plug, report.outcome.rawValue)
        registry.observe(report.seconds, in: HostMetrics.runDuration, report.plug)
        let errors = report.errors.isEmpty ? [report.error].compactMap(\.self) : report.errors
        for error in errors { registry.add(to: HostMetrics.runErrors, report.plug, error.code.text) }
        var counts = StreamCounts()
        for (_, stream) in report.streams { counts.add(stream) }
        let fates = [
            ("delivered", counts.delivered), ("known", counts.known), ("duplicate", counts.duplicates),
            ("dead_letter", counts.deadLetters), ("queued", counts.queued), ("undelivered", counts.undelivered),
        ]
        for (fate, count) in fates where count > 0 {
            registry.add(Double(count), to: HostMetrics.records, report.plug, fate)
        }
        registry.add(Double(counts.bytesIn), to: HostMetrics.received, report.plug)
        registry.add(Double(counts.bytesOut), to: HostMetrics.sent, report.plug)
    }

    /// All metrics in Prometheus' text format, with those from the store read again.
    func text() async throws -> String {
        process.read(into: registry)
        var states: [String: Int] = [:]
        for count in try await store.connectionCounts() {
            states[count.status?.rawValue ?? "by_hand", default: 0] += count.connections
        }
        for status in ConnectionSetup.Status.allCases { states[status.rawValue, default: 0] += 0 }
        registry.replace(HostMetrics.connections, with: states.map { ([$0.key], Double($0.value)) })
        let hours = try await store.outboxHours()
        registry.set(HostMetrics.outboxBatches, to: Double(hours.reduce(0) { $0 + $1.size.batches }))
        registry.set(HostMetrics.outboxRecords, to: Double(hours.reduce(0) { $0 + $1.records }))
        registry.set(HostMetrics.outboxBytes, to: Double(hours.reduce(0) { $0 + $1.size.bytes }))
        let since = try await store.longestWaiting(limit: 1).first?.since
        registry.set(HostMetrics.outboxAge, to: since.map { age($0) } ?? 0)
        registry.set(HostMetrics.deadLetters, to: Double(try await store.deadLetterSize(of: nil).letters))
        let overdue = try await store.overdueCount(since: clock.now() - Self.minute)
        registry.set(HostMetrics.overdue, to: Double(overdue))
        let due = try await store.nextDue()
        registry.set(HostMetrics.oldestDue, to: due.map { age($0) } ?? 0)
        let queues = try await store.noticeQueues()
        registry.set(HostMetrics.noticesWaiting, to: Double(queues.reduce(0) { $0 + $1.count }))
        registry.set(HostMetrics.noticeAge, to: queues.map(\.since).min().map { age($0) } ?? 0)
        return registry.text()
    }

    /// Seconds since a time; 0 if it is in the future.
    private func age(_ time: Int64) -> Double { max(0, Double(clock.now() - time) / 1_000_000) }
}
