package import PlugCore
package import PlugStorage

/// Looks what needs a person: in sums and counts that are kept with each change, so that a look costs the same whatever there is.
package struct NoticeWatch: Sendable {
    /// Fewer connections are not everybody.
    static let leastConnections = 5
    /// Of so many runs of a hundred with one code, and connections whose last run failed, the plug is at fault.
    static let share = 90
    /// So many connections of a plug are looked at.
    static let sample = 200

    private let store: any NoticeStore & SummaryStore
    private let disk: @Sendable () -> String?
    private let clock: any HostClock

    /// - Parameters:
    ///   - store: What is known.
    ///   - disk: What is wrong with the disk of the state; `nil` where nothing is.
    ///   - clock: Time.
    package init(
        _ store: any NoticeStore & SummaryStore,
        disk: @escaping @Sendable () -> String?,
        clock: any HostClock
    ) {
        (self.store, self.disk, self.clock) = (store, disk, clock)
    }

    /// What nobody was told of since a time.
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

    /// What has come of something that is counted, if it still needs anybody.
    private func item(of state: CauseState) async throws -> NoticeItem? {
        var item = NoticeItem(state.cause)
        switch state.cause.kind {
        case .reconnect:
            item.connections = try await store.connectionCounts()
                .filter { $0.plug == state.cause.plug && $0.status == .reconnect }.reduce(0) { $0 + $1.connections }
            item.news = min(state.news, item.connections)
        case .deadLetters:
            // Where the newest of them were retried or dropped, nobody needs to know.
            let isThere = try await !store.connections(behind: state.cause, limit: 1).isEmpty
            item.news = isThere ? state.news : 0
        case .plugFailing, .disk: return nil
        }
        if item.news > 0 { return item }
        try await store.forgetNews(of: state.cause, count: state.news)
        return nil
    }

    /// The plugs that fail for everybody: by the sums of this hour and the last one, and if those say so by the last run of each of
    /// some connections, as one that is tried again and again makes many runs.
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
