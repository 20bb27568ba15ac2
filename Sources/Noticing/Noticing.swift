internal import LosslessJSON
package import PlugCore
package import PlugStorage
internal import Synchronization
internal import Throttling

/// Notifies the operator of a host of what a person must do, until its task is cancelled.
///
/// Findings are gathered for a while and sent in one notice; the same cause is not notified again within a day. A notice is kept
/// in the store until its target has it, and claimed there, so that it survives the process and two hosts send it once. No run
/// waits for any of this.
package struct Noticing: Sendable {
    /// An event to log and to count.
    package enum Event: Sendable, Equatable {
        /// A notice was made of this number of causes.
        case made(causes: Int)
        /// A target has received a notice.
        case sent(target: String)
        /// A target has not received it; it is tried again at this time.
        case failed(target: String, PlugError, again: Int64)
        /// It was given up.
        case dropped(target: String, PlugError)
        /// The store failed; it is tried again.
        case storeFailed(PlugError)
    }

    /// The interval between checks.
    static let interval = Duration.seconds(60)
    /// How long findings are gathered.
    static let gathering: Int64 = 300_000_000
    /// Nothing is notified twice within this time.
    static let day: Int64 = 86_400_000_000
    /// A notice that no target accepts is given up after this time.
    static let patience = 2 * day
    /// And not before this number of tries, whatever the clock says.
    static let leastTries = 5
    /// The number of connections that are named.
    static let examples = 10
    /// Longer than any try takes.
    private static let lease: Int64 = 900_000_000
    private static let backoff = Backoff(base: .seconds(60), maximum: .seconds(6 * 3600))
    /// The number that are sent at a time.
    private static let parallel = 8

    private let store: any NoticeStore & SummaryStore
    private let watch: NoticeWatch
    private let targets: [any Notifier]
    private let host: @Sendable () -> String
    private let clock: any HostClock
    private let observer: @Sendable (Event) -> Void
    private let began = GatheringStart()

    /// - Parameters:
    ///   - store: The host's store, and the notices that wait in it.
    ///   - targets: The targets of the notices.
    ///   - host: The host's public name.
    ///   - disk: What is wrong with the disk of the state; `nil` if nothing is.
    ///   - clock: Time and chance.
    ///   - observer: Receives events, on any thread.
    package init(
        store: any NoticeStore & SummaryStore,
        targets: [any Notifier],
        host: @escaping @Sendable () -> String,
        disk: @escaping @Sendable () -> String?,
        clock: any HostClock,
        observer: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        (self.store, self.targets, self.host, self.clock) = (store, targets, host, clock)
        self.observer = observer
        watch = NoticeWatch(store, disk: disk, clock: clock)
    }

    /// Works until the task is cancelled.
    package func run() async {
        var hasFailed = false
        while !Task.isCancelled {
            do {
                try await gather()
                while try await send() > 0 {}
                hasFailed = false
            } catch {
                if Task.isCancelled { return }
                // Reported once: otherwise a full disk would be reported every minute.
                if !hasFailed { observer(.storeFailed(StoreErrors.plugError(error))) }
                hasFailed = true
            }
            try? await clock.timeout(after: Self.interval)
        }
    }

    /// Checks what a person must do, and makes a notice of it once it has been gathered for long enough.
    package func gather() async throws {
        let now = clock.now()
        let items = try await watch.untold(since: now - Self.day)
        guard began.hasLasted(Self.gathering, at: clock.steady(), isAny: !items.isEmpty) else { return }
        let notice = NewNotice(
            id: Notice.newID(),
            at: now,
            content: JSONValue.array(items.map { $0.json(withWords: false) }).compactText,
            causes: Dictionary(items.map { ($0.cause, $0.news) }, uniquingKeysWith: max),
            targets: targets.map(\.name)
        )
        // If another host was faster, gathering starts again with what is left.
        if try await store.keepNotice(notice, unlessToldSince: now - Self.day) {
            observer(.made(causes: items.count))
        }
    }

    /// Sends what is due, a few at a time.
    ///
    /// - Returns: The number that were due.
    package func send() async throws -> Int {
        let now = clock.now()
        let longest = Self.backoff.maximum.wholeMicroseconds + Self.lease
        try await store.reviveNotices(at: now, longest: longest)
        let due = try await store.claimNotices(at: now, until: now + Self.lease, limit: Self.parallel)
        try await withThrowingDiscardingTaskGroup { group in
            for notice in due { group.addTask { try await send(notice) } }
        }
        return due.count
    }

    private func send(_ waiting: WaitingNotice) async throws {
        // A target that is no longer configured.
        guard let target = targets.first(where: { $0.name == waiting.target }) else {
            return try await store.endNotice(waiting, .gone)
        }
        let notice = try await notice(waiting, for: target)
        do throws(PlugError) {
            _ = try await target.send(notice)
        } catch {
            let now = clock.now()
            // So that the next host takes it up at once.
            if Task.isCancelled {
                return try await store.endNotice(waiting, .again(now, failure: "the host has ended"))
            }
            if waiting.tries + 1 >= Self.leastTries, now - waiting.at > Self.patience {
                try await store.endNotice(waiting, .gone)
                return observer(.dropped(target: target.name, error))
            }
            let wait = Self.backoff.wait(after: waiting.tries + 1, random: 0.5 + clock.random() / 2)
            let again = now + wait.wholeMicroseconds
            try await store.endNotice(waiting, .again(again, failure: error.message))
            return observer(.failed(target: target.name, error, again: again))
        }
        try await store.endNotice(waiting, .gone)
        observer(.sent(target: target.name))
    }

    /// The notice with the connections as they are now.
    private func notice(_ waiting: WaitingNotice, for target: any Notifier) async throws -> Notice {
        let kept = (try? JSONValue(parsing: Array(waiting.content.utf8)))?.elements ?? []
        var items = kept.compactMap { NoticeItem($0) }
        for index in items.indices {
            let connections = try await store.connections(behind: items[index].cause, limit: Self.examples)
            items[index].examples = connections.map { connection in
                NoticeItem.Example(name: connection.id.name, pda: target.namesPDAs ? connection.pda : nil)
            }
        }
        return Notice(id: waiting.id, at: waiting.at, host: host(), items: items)
    }
}

/// How long there has been something to notify, by a monotonic clock.
private final class GatheringStart: Sendable {
    private let began = Mutex<SteadyTime?>(nil)

    /// Whether it has been present for this long, in microseconds; the next period then starts again.
    func hasLasted(_ time: Int64, at now: SteadyTime, isAny: Bool) -> Bool {
        began.withLock { began in
            guard isAny else {
                began = nil
                return false
            }
            guard let since = began, since.era == now.era else {
                began = now
                return false
            }
            if now.microseconds - since.microseconds < time { return false }
            began = nil
            return true
        }
    }
}
