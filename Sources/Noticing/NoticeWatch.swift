package import PlugCore
package import PlugStorage

/// Finds what a person must do, from sums and counts that are updated with each change, so that the cost stays the same.
package struct NoticeWatch: Sendable {
    /// With fewer connections, a plug does not count as failing for everyone.
    static let leastConnections = 5
    /// The percentage of runs failing with one code, and of connections whose last run failed, that puts the plug at fault.
    static let share = 90
    /// The number of connections of a plug that are looked at.
    static let sample = 200

    private let store: any NoticeStore & SummaryStore
    private let disk: @Sendable () -> String?
    private let clock: any HostClock

    /// - Parameters:
    ///   - store: The host's store.
    ///   - disk: What is wrong with the disk of the state; `nil` if nothing is.
    ///   - clock: Time.
    package init(
        _ store: any NoticeStore & SummaryStore,
        disk: @escaping @Sendable () -> String?,
        clock: any HostClock
    ) {
        (self.store, self.disk, self.clock) = (store, disk, clock)
    }

    /// What has not been notified since a time.
    package func untold(since time: Int64) async throws -> [NoticeItem] {
        let now = clock.now()
        let causes = try await store.noticeCauses()
        let told = Set(causes.filter { $0.wasTold(since: time, now: now) }.map(\.cause))
        var items: [NoticeItem] = []
        for state in causes where state.news > 0 && !told.contains(state.cause) {
            if let item = try await item(of: state) { items.append(item) }
        }
        items += try await failing().filter { !told.contains($0.cause) }
        let full = NoticeCause(.disk)
        if !told.contains(full), let text = disk() {
            var item = NoticeItem(full)
            item.detail = text
            items.append(item)
        }
        return items
    }

    /// The current state of something that is counted, if a person must still act.
    private func item(of state: CauseState) async throws -> NoticeItem? {
        var item = NoticeItem(state.cause)
        switch state.cause.kind {
        case .reconnect:
            item.connections = try await store.connectionCounts()
                .filter { $0.plug == state.cause.plug && $0.status == .reconnect }.reduce(0) { $0 + $1.connections }
            item.news = min(state.news, item.connections)
        case .stuck:
            item.connections = try await store.stuckCount(of: state.cause.plug)
            item.news = min(state.news, item.connections)
        case .deadLetters:
            // If the newest of them were retried or dropped, no one needs to know.
            let isThere = try await !store.connections(behind: state.cause, limit: 1).isEmpty
            item.news = isThere ? state.news : 0
        case .plugFailing, .disk: return nil
        }
        if item.news > 0 { return item }
        try await store.forgetNews(of: state.cause, count: state.news)
        return nil
    }

    /// The plugs that fail for everyone: by the sums of this hour and the last one, confirmed by the last run of each of some
    /// connections, as one that is retried again and again makes many runs.
    private func failing() async throws -> [NoticeItem] {
        let hour = SummaryHour.of(clock.now()) - 1
        var items: [NoticeItem] = []
        let counts = try await store.runCounts(since: hour).sorted { $0.key < $1.key }
        for (plug, outcomes) in counts {
            let runs = outcomes.reduce(0) { $1.key == "interrupted" ? $0 : $0 + $1.value }
            guard runs >= Self.leastConnections,
                let error = try await store.errorCounts(of: plug, since: hour, limit: 1).first,
                error.runs * 100 >= runs * Self.share
            else { continue }
            let health = try await store.health(of: plug, limit: Self.sample)
            guard health.connections >= Self.leastConnections,
                health.failed * 100 >= health.connections * Self.share
            else { continue }
            var item = NoticeItem(NoticeCause(.plugFailing, plug: plug))
            (item.connections, item.lookedAt, item.code) = (health.failed, health.connections, error.code)
            items.append(item)
        }
        return items
    }
}
