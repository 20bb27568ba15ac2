internal import LosslessJSON
package import PlugCore
package import PlugFetch
internal import PlugManifest
package import PlugRuntime
package import PlugStorage
package import Throttling

/// Runs a connection that is due, and determines when it is due next.
package struct SyncRunner: Sendable {
    /// Events of interest to an operator.
    package enum Event: Sendable {
        /// A run began, at this time in microseconds since 1970; its end follows.
        case began(DueClaim, at: Int64)
        /// A run has ended.
        case ended(RunReport, ClaimEnd)
        /// A run could not begin; it is retried.
        case failed(DueClaim, PlugError)
        /// Something happened in a run.
        case during(ConnectionID, RunEvent)
    }

    /// What all runs of a host share.
    package struct Means: Sendable {
        /// The store for everything.
        package var store: any PlugStore
        /// Keeps all runs together from sending others too many requests.
        package var throttling: RequestThrottling
        /// The memory for their pages.
        package var room: PageRoom
        /// The memory for responses that several streams are read from.
        package var answerRoom = AnswerRoom()
        /// Plugs that are not to start any runs for now.
        package var rests = PlugRests()
        /// The resources for plugs' programs; `nil` if none may run.
        package var programs: ProgramPolicy?
        /// The limits of each run.
        package var limits: RunLimits
        /// Time and randomness.
        package var clock: any HostClock

        /// Shared means.
        package init(
            store: any PlugStore,
            throttling: RequestThrottling,
            room: PageRoom,
            limits: RunLimits,
            clock: any HostClock
        ) {
            self.store = store
            self.throttling = throttling
            self.room = room
            self.limits = limits
            self.clock = clock
        }
    }

    /// A run that has to wait longer gives up its slot and is due again when the wait is over.
    private static let longestWait = Duration.seconds(5)
    /// How often to retry what only the operator can fix.
    private static let retry: Int64 = 3_600_000_000

    /// How often to retry transient failures, such as a full disk.
    private static let soon: Int64 = 60_000_000

    private let plugs: HostPlugs
    private let means: Means
    private let observer: @Sendable (Event) -> Void

    /// - Parameters:
    ///   - plugs: The plugs that are served.
    ///   - means: What all runs share.
    ///   - observer: Called with events, from any thread.
    package init(_ plugs: HostPlugs, _ means: Means, observer: @escaping @Sendable (Event) -> Void) {
        self.plugs = plugs
        self.means = means
        self.observer = observer
    }

    /// Runs a connection.
    ///
    /// - Parameter yielding: Ends the run if others wait for its slot.
    package func run(_ claim: DueClaim, yielding: YieldSignal? = nil) async -> ClaimEnd {
        let startedAt = means.clock.now()
        do {
            var (request, schedule) = try await request(claim, startedAt)
            request.yielding = yielding
            // A run due before the quiet hours waits for their end. One due within them was requested.
            let quietEnd = schedule.afterQuiet(startedAt, of: claim.connection)
            if quietEnd > startedAt, schedule.afterQuiet(claim.dueAt, of: claim.connection) == claim.dueAt {
                return ClaimEnd(status: .active, dueAt: quietEnd, at: startedAt)
            }
            observer(.began(claim, at: startedAt))
            let report = await run(request, claim)
            let next = schedule.next(after: startedAt, now: means.clock.now(), of: claim.connection)
            var end = SyncEnd(claim: claim, startedAt: startedAt, next: next).after(report, clock: means.clock)
            if let rest = SyncEnd.sharedEnd(of: report) {
                means.rests.rest(claim.plug, until: rest, now: means.clock.now())
            } else if !Task.isCancelled {
                end.dueAt = end.dueAt.map { schedule.afterQuiet($0, of: claim.connection) }
            }
            observer(.ended(report, end))
            return end
        } catch {
            // In a cancelled task a store read may fail: the connection is due at once.
            let now = means.clock.now()
            if Task.isCancelled { return ClaimEnd(status: .active, dueAt: min(claim.dueAt, now), at: now) }
            let error = StoreErrors.plugError(error)
            observer(.failed(claim, error))
            let passes = error.exit == .tryLater || error.exit == .unreachable
            var end = ClaimEnd(status: .active, dueAt: now + (passes ? Self.soon : Self.retry), at: now)
            end.failure = error.code.text
            return end
        }
    }

    /// The request for a run, from the current set-up and plug.
    private func request(_ claim: DueClaim, _ now: Int64) async throws -> (RunRequest, SyncSchedule) {
        let plugs = plugs.current
        let manifest = try plugs.manifest(of: claim.plug, for: claim.connection)
        guard let connection = try await means.store.connection(claim.connection),
            let setup = try await means.store.setup(of: claim.connection)
        else { throw StoreErrors.connectionUnknown(claim.connection) }
        let plan = try ConnectionPlan(content: setup.content, of: claim.connection)
        let schedule = try SyncSchedule(plan, manifest, plugs.rhythm)
        let answers = try plan.answers(for: manifest, of: claim.connection)
        // It would read nothing, and say that all is well.
        if let lack = try plugs.lack(of: manifest, config: answers, streams: plan.streams), lack.kind == .file {
            throw lack.error
        }
        var request = RunRequest(
            manifest: manifest,
            pda: connection.pda,
            token: nil,
            config: answers
        )
        request.connection = claim.connection.name
        request.acceptsForeignToken = plan.acceptsForeignToken
        // A program reads all of its streams, and has one state for them.
        request.streams =
            manifest.program == nil
            ? schedule.streams(dueAt: now, ranAt: claim.ranAt, of: claim.connection) : plan.streams
        request.programs = means.programs
        request.firstDay = plan.from
        request.longestWait = Self.longestWait
        request.limits = means.limits
        request.clients = plugs.clients
        request.advice = { HostAdvice.text(for: $0, of: claim.connection) }
        return (request, schedule)
    }

    private func run(_ request: RunRequest, _ claim: DueClaim) async -> RunReport {
        let run = PlugRun(
            request,
            store: means.store,
            transport: means.throttling.transport,
            clock: means.clock,
            throttling: means.throttling,
            room: means.room,
            answerRoom: means.answerRoom
        ) { [observer] in observer(.during(claim.connection, $0)) }
        return await run.run()
    }
}
