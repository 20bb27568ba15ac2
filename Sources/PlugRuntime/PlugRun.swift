package import CurlTransport
internal import LosslessJSON
package import PlugCore
internal import PlugDeliver
package import PlugFetch
internal import PlugManifest
internal import PlugNormalise
package import PlugStorage
package import Throttling

/// One run of a connection, from start to finish: checks the token, opens the connection, and takes each stream through fetching,
/// normalising and delivering.
package final class PlugRun: Sendable {
    let request: RunRequest
    let store: (any PlugStore)?
    let grants: (any GrantKeeping)?
    let throttling: RequestThrottling
    private let sharesThrottling: Bool
    private let room: PageRoom
    let answerRoom: AnswerRoom
    let clock: any HostClock
    private let fetcher: (any Fetcher)?
    private let timer: RunTimer?
    let observer: @Sendable (RunEvent) -> Void
    private let timeIsOver = Latch()
    let tally = RequestTally()

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - request: The run that was requested.
    ///   - store: The store that remembers the run; a dry run needs none.
    ///   - grants: Where a dry run finds what the source has granted; other runs use `store`.
    ///   - transport: Carries requests to the source and to the PDA.
    ///   - clock: Time and randomness.
    ///   - throttling: What all runs of the process share, on top of `transport`; `nil` for this run's own.
    ///   - room: The memory for the pages of all runs of the process; `nil` for this run's own.
    ///   - answerRoom: The memory for answers that several streams of a run are read from, in all runs of the process.
    ///   - fetcher: The source; `nil` is the manifest's declarative one.
    ///   - timer: Measures `request.limits.time` for many runs; `nil` measures it for this one alone.
    ///   - observer: Is notified of the run's progress, from any thread.
    package init(
        _ request: RunRequest,
        store: (any PlugStore)?,
        grants: (any GrantKeeping)? = nil,
        transport: any HTTPSending,
        clock: any HostClock = SystemClock(),
        throttling: RequestThrottling? = nil,
        room: PageRoom? = nil,
        answerRoom: AnswerRoom = AnswerRoom(),
        fetcher: (any Fetcher)? = nil,
        timer: RunTimer? = nil,
        observer: @escaping @Sendable (RunEvent) -> Void = { _ in }
    ) {
        self.request = request
        self.store = store
        self.grants = grants ?? store
        self.throttling = throttling ?? RequestThrottling(notes: store, transport: transport, clock: clock)
        sharesThrottling = throttling != nil
        self.room = room ?? PageRoom()
        self.answerRoom = answerRoom
        self.clock = clock
        self.fetcher = fetcher
        self.timer = timer
        self.observer = observer
    }

    /// Runs. However the run ends, the report says so: an error, an interruption and the time limit included.
    package func run() async -> RunReport {
        guard let limit = request.limits.time else { return await runWithoutLimit() }
        return await withTaskGroup(of: RunReport?.self) { group in
            group.addTask { await self.runWithoutLimit() }
            group.addTask { [self] in
                let isOver = if let timer { await timer.wait() } else { (try? await clock.sleep(for: limit)) != nil }
                if isOver { timeIsOver.set() }
                return nil
            }
            var report: RunReport?
            while let next = await group.next() {
                report = report ?? next
                // Either the run has ended, or its time has.
                group.cancelAll()
            }
            return report ?? RunReport(plug: request.manifest.id, connection: "", pda: request.pda)
        }
    }

    private func runWithoutLimit() async -> RunReport {
        let name: String
        do { name = try await Self.knownName(for: request, in: request.isDryRun ? nil : store) } catch {
            // Whatever keeps the store from answering will stop the run too.
            name = Self.connectionName(for: request)
        }
        return await run(as: ConnectionID(name))
    }

    /// Runs a connection whose name is known.
    private func run(as connection: ConnectionID) async -> RunReport {
        let start = clock.steady().microseconds
        var report = RunReport(plug: request.manifest.id, connection: connection.name, pda: request.pda)
        do {
            let streams = try selectedStreams()
            // Streams that the run does not reach are in the report with zeros.
            report.streams = streams.map { ($0.name, StreamCounts()) }
            let fetcher = try fetcher ?? sourceFetcher(connection)
            observer(.prepared(redactor(fetcher)))
            if request.isDryRun {
                await dryRun(streams, fetcher, &report)
                if let error = archivesWithoutEntries(streams, report) { note(error, &report) }
            } else {
                try await deliver(streams, fetcher, connection, start, &report)
            }
        } catch {
            note(Self.plugError(error), &report)
        }
        if !sharesThrottling { await throttling.settle() }
        report.seconds = seconds(since: start)
        report.outcome = Self.outcome(report)
        return report
    }

    private func seconds(since start: Int64) -> Double { Double(clock.steady().microseconds - start) / 1_000_000 }

    private func deliver(
        _ streams: [Stream],
        _ fetcher: any Fetcher,
        _ name: ConnectionID,
        _ start: Int64,
        _ report: inout RunReport
    ) async throws {
        guard let store else { throw PlugError(.noStore, "a run needs a store") }
        let opened = try await store.openRun(
            RunStart(connection: name, version: request.manifest.version, at: clock.now()),
            plug: request.manifest.id,
            pda: request.pda,
            streams: streams.map(\.name)
        )
        report.run = opened.id
        // At the very end, whatever happens: another run of the connection would read what this one has not stored yet.
        defer { opened.lease?.end() }
        do { try await deliver(streams, fetcher, opened, store, &report) } catch {
            note(Self.plugError(error), &report)
        }
        report.outcome = Self.outcome(report)
        report.seconds = seconds(since: start)
        if !report.hasMoved {
            // Only a run that moved nothing looks back. A failed look-up is not worth another error.
            report.runsWithoutProgress = 1 + ((try? await Self.standstill(of: opened.connection.id, in: store)) ?? 0)
        }
        var bytes: [UInt8] = []
        report.json.write(to: &bytes)
        try await store.endRun(opened.id, outcome: report.outcome.rawValue, report: bytes, tally: report.tally)
    }

    private func deliver(
        _ streams: [Stream],
        _ fetcher: any Fetcher,
        _ opened: OpenedRun,
        _ store: any PlugStore,
        _ report: inout RunReport
    ) async throws {
        let connection = opened.connection
        let tokens = try RunTokens(
            file: request.token,
            kept: opened.token,
            connection: connection.id,
            store: store,
            clock: clock
        )
        let check = TokenCheck(
            plug: request.manifest.id,
            pda: request.pda,
            acceptsForeign: request.acceptsForeignToken,
            takesOtherApplications: true
        )
        for warning in try check.check(await tokens.current(), now: clock.now()) {
            observer(.warning(code: warning.code, message: warning.message))
        }
        let observer = observer
        let pda = AppendOnlyPDA(
            origin: request.pda,
            namespace: request.manifest.namespace,
            token: tokens,
            transport: throttling.transport,
            clock: clock
        )
        let delivery = ConnectionDelivery(
            request,
            opened,
            to: pda,
            fetcher: fetcher,
            store: store,
            room: room,
            redactor: redactor(fetcher),
            clock: clock,
            observer: observer
        )
        let (outcomes, failure) = await delivery.run(streams)
        for at in outcomes.indices { report.streams[at].counts = outcomes[at].counts }
        for error in outcomes.compactMap(\.error) { note(error, &report) }
        if let failure { note(failure, &report) }
        if let error = archivesWithoutEntries(streams, report) { note(error, &report) }
        let (tally, waitingRecords, waiting) = try await delivery.end()
        report.outbox = tally
        for at in report.streams.indices {
            let isKnown = tally.waitingRecords != nil
            report.streams[at].counts.waiting = waitingRecords[report.streams[at].name] ?? (isKnown ? 0 : nil)
        }
        if let waiting, report.error == nil { note(waiting, &report) }
        if let failure = await tokens.failure { observer(.warning(code: failure.code, message: failure.message)) }
    }

    /// How many of the most recently ended runs moved nothing.
    private static func standstill(of connection: ConnectionID, in store: any RunStore) async throws -> Int {
        let runs = try await store.runs(of: connection, limit: RunReport.stuckAfter + 10)
        return runs.lazy.filter { $0.endedAt != nil }.prefix { !$0.hasMoved }.count
    }

    private func dryRun(_ streams: [Stream], _ fetcher: any Fetcher, _ report: inout RunReport) async {
        let dryRun = DryRun(request: request, fetcher: fetcher, redactor: redactor(fetcher), observer: observer)
        await dryRun.show(streams) { stream, counts, error in
            if let at = report.streams.firstIndex(where: { $0.name == stream.name }) {
                report.streams[at].counts = counts
            }
            guard let error else { return true }
            let told = Self.plugError(error).inStream(stream.name)
            note(told, &report)
            return told.reach != .run
        }
    }

    /// The first error becomes the report's; the others go to the observer.
    private func note(_ error: PlugError, _ report: inout RunReport) {
        // A dry run shows the service's answers, and keeps nothing.
        var error = request.isDryRun ? error.quoted : error
        if error.exit == .interrupted, timeIsOver.isSet, let limit = request.limits.time {
            error = PlugError(
                .runTimeLimit,
                "the run reached its time limit (\(HumanDuration.text(limit)))",
                advice: "nothing is lost: the next run continues where this one stopped; "
                    + "--time-limit sets another limit",
                stream: error.stream
            )
        }
        if let advice = request.advice?(error) { error.advice = advice }
        if let at = report.streams.firstIndex(where: { $0.name == error.stream }) {
            let sent = tally.count(of: report.streams[at].name)
            report.streams[at].counts.requests = max(report.streams[at].counts.requests, sent)
        }
        report.errors.append(error)
        // Other errors say that nothing is lost.
        guard report.error != nil, !error.isLostState else {
            report.error = error
            return
        }
        let place = error.stream.map { "stream '\($0)': " } ?? ""
        observer(.warning(code: error.code, message: place + error.message))
    }

    private static func outcome(_ report: RunReport) -> RunReport.Outcome {
        guard let error = report.error else {
            let hasDeadLetters = report.outbox.deadLetters > 0 || report.streams.contains { $0.counts.deadLetters > 0 }
            return hasDeadLetters ? .partial : .done
        }
        if error.exit == .interrupted || error.exit == .terminated { return .interrupted }
        let isAnythingDone = report.streams.contains { _, counts in
            counts.delivered + counts.known + counts.duplicates + counts.deadLetters + counts.queued > 0
        }
        return isAnythingDone || report.outbox.drained > 0 ? .partial : .failed
    }

    /// What an error means to a person; an interruption counts as one too.
    static func plugError(_ error: any Error) -> PlugError {
        switch error {
        case let error as PlugError: error
        case is CancellationError: .interrupted
        default:
            PlugError(
                .unexpected,
                "an unexpected error: \(type(of: error))",
                advice: "report it; running again loses nothing"
            )
        }
    }
}
