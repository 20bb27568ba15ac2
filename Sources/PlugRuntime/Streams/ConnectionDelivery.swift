internal import PlugCore
internal import PlugDeliver
internal import PlugFetch
internal import PlugManifest
internal import PlugNormalise
internal import PlugStorage

/// Takes the streams of one connection's run through fetching, normalising and delivering, and drains their shared outbox before
/// and after.
actor ConnectionDelivery {
    /// The outcome of a stream.
    struct StreamOutcome: Sendable {
        var counts = StreamCounts()
        var error: PlugError?

        /// Whether its error concerns the other streams too.
        var endsRun: Bool { error?.reach == .run }
    }

    /// How many streams are read concurrently.
    private static let width = 8

    private let opened: OpenedRun
    private let shared: SharedParts
    /// Whether there may be dead letters: if not, thousands of small runs need not count them.
    private var mayHoldLetters: Bool

    init(
        _ request: RunRequest,
        _ opened: OpenedRun,
        to pda: AppendOnlyPDA,
        fetcher: any Fetcher,
        store: any PlugStore,
        room: PageRoom,
        redactor: Redactor,
        clock: any HostClock,
        observer: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.opened = opened
        // What waits may become dead letters.
        mayHoldLetters = opened.hasDeadLetters || !opened.waiting.isEmpty
        var options = DeliveryOptions()
        options.acceptsDuplicates = request.acceptsDuplicates
        if let longest = request.longestWait { options.maximumWait = min(options.maximumWait, longest) }
        let made = { [options] in Deliverer(pda: $0, clock: clock, options: options) { observer(.delivery($0)) } }
        let deliverer = made(pda)
        let (connection, limits) = (opened.connection, request.limits.outbox)
        let outbox = ConnectionOutbox(connection.id, store: store, limits: limits, clock: clock) {
            $0 == pda.namespace ? deliverer : made(pda.appending(to: $0))
        }
        shared = SharedParts(
            request: request,
            connection: connection,
            fetcher: fetcher,
            deliverer: deliverer,
            outbox: outbox,
            store: store,
            room: room,
            redactor: redactor,
            observer: observer
        )
    }

    /// Sends what earlier runs have left, runs the streams to their ends, and sends what still waits.
    ///
    /// - Returns: The outcome of each stream, in order, and the error that stopped the outbox.
    func run(_ streams: [Stream]) async -> (streams: [StreamOutcome], error: PlugError?) {
        var outcomes = streams.map { _ in StreamOutcome() }
        var failure: PlugError?
        do {
            // What earlier runs have left goes first.
            try await shared.outbox.drainAll(opened.waiting)
            if let fetcher = shared.fetcher.mixed {
                let mixed = MixedDelivery(streams, fetcher, opened, shared, mayHoldLetters: mayHoldLetters)
                outcomes = await mixed.run()
                mayHoldLetters = mayHoldLetters || outcomes.contains { $0.counts.deadLetters > 0 }
            } else if streams.count > 1, shared.fetcher.readsStreamsTogether, shared.request.readsStreamsTogether,
                !shared.request.queuesEverything, opened.waiting.isEmpty
            {
                await takeTogether(streams, &outcomes)
            } else {
                for at in streams.indices {
                    outcomes[at] = await take(streams[at], nil, shared.request.limits.commitBytes)
                    mayHoldLetters = mayHoldLetters || outcomes[at].counts.deadLetters > 0
                    if outcomes[at].endsRun { break }
                }
            }
            if !outcomes.contains(where: \.endsRun) { try await shared.outbox.drainRest() }
        } catch {
            failure = PlugRun.plugError(error)
        }
        for at in streams.indices { outcomes[at].counts.add(shared.outbox.takeSettled(of: streams[at].name)) }
        return (outcomes, failure)
    }

    /// The outbox's result, the number of waiting records of each stream, and the error that keeps them waiting.
    func end() async throws -> (tally: OutboxTally, waiting: [String: Int?], error: PlugError?) {
        let (tally, error) = try await shared.outbox.end()
        return (tally, shared.outbox.waitingRecords, error)
    }

    /// Runs some streams concurrently, starting them in order. An error that ends the run is kept once, whichever stream met it.
    private func takeTogether(_ streams: [Stream], _ outcomes: inout [StreamOutcome]) async {
        let turn = DeliveryTurn()
        var ending: PlugError.Code?
        await withTaskGroup(of: [(Int, StreamOutcome)].self) { group in
            var rest = Self.lines(streams).makeIterator()
            let commitBytes = shared.request.limits.commitBytes / min(Self.width, streams.count)
            func start() {
                guard !turn.isOver, let line = rest.next() else { return }
                group.addTask {
                    var taken: [(Int, StreamOutcome)] = []
                    for at in line where !turn.isOver {
                        taken.append((at, await self.take(streams[at], turn, commitBytes)))
                    }
                    return taken
                }
            }
            for _ in 0..<Self.width { start() }
            while let line = await group.next() {
                for (at, taken) in line {
                    var outcome = taken
                    if outcome.endsRun {
                        if ending != nil, outcome.error?.code == ending { outcome.error = nil }
                        ending = ending ?? outcome.error?.code
                        turn.end()
                    }
                    outcomes[at] = outcome
                }
                start()
            }
        }
    }

    /// Groups the streams into lines that must run in sequence: if two yield the same things, the second has to know what the
    /// first delivered.
    private static func lines(_ streams: [Stream]) -> [[Int]] {
        var lines: [[Int]] = []
        var places: [DataPath: Int] = [:]
        for (at, stream) in streams.enumerated() {
            if let path = stream.path, let line = places[path] {
                lines[line].append(at)
            } else {
                if let path = stream.path { places[path] = lines.count }
                lines.append([at])
            }
        }
        return lines
    }

    private func take(_ stream: Stream, _ turn: DeliveryTurn?, _ commitBytes: Int) async -> StreamOutcome {
        var outcome = StreamOutcome()
        let config = shared.request.manifest.withoutSecrets(shared.request.config)
        guard let path = stream.path, let normaliser = Normaliser(stream, config: config) else { return outcome }
        shared.observer(.stream(stream.name))
        do {
            // Draining may have changed what was found.
            let snapshot = opened.waiting.isEmpty ? opened.streams[stream.name] : nil
            let run = try await StreamRun(
                normaliser,
                to: path,
                shared,
                snapshot: snapshot,
                turn: turn,
                mayHoldLetters: mayHoldLetters,
                commitBytes: commitBytes
            )
            defer { outcome.counts = run.delivery.counts }
            try await run.run()
        } catch {
            outcome.error = PlugRun.plugError(error).inStream(stream.name)
        }
        return outcome
    }
}
