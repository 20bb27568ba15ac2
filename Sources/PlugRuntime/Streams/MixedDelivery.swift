internal import PlugCore
internal import PlugManifest
internal import PlugNormalise
internal import PlugStorage

/// Takes the streams of a source that yields them mixed, with one state for all, through normalising and delivering.
///
/// The state is committed only when every record before it is proved or in the outbox, whichever stream it belongs to. The two
/// need no common transaction: if the process dies in between, the source yields the records again, and the ledger knows them.
///
/// A class without a lock: only its creator uses it, and it runs in its caller's isolation.
final class MixedDelivery {
    private let streams: [Stream]
    private let fetcher: any MixedFetcher
    private let opened: OpenedRun
    private let shared: SharedParts
    private let mayHoldLetters: Bool
    private let stateID: StreamID
    /// The streams being delivered, created with their first page.
    private var runs: [String: StreamRun] = [:]
    private var errors: [String: PlugError] = [:]
    private var counts: [String: StreamCounts] = [:]
    /// The state with which this run began.
    private var first: StreamState?
    private var pass: Int64 = 1
    /// The newest state, not yet committed because refused records before it await a verdict.
    private var waiting: StreamState??
    /// Whether states of this run may be committed.
    private var keepsState: Bool
    private var hasLostState = false

    init(
        _ streams: [Stream],
        _ fetcher: any MixedFetcher,
        _ opened: OpenedRun,
        _ shared: SharedParts,
        mayHoldLetters: Bool
    ) {
        (self.streams, self.fetcher, self.opened, self.shared) = (streams, fetcher, opened, shared)
        self.mayHoldLetters = mayHoldLetters
        stateID = StreamID(connection: opened.connection.id, stream: StreamID.shared)
        // The state is shared by all streams: records of streams left out would count as done.
        keepsState = streams.count == shared.request.manifest.streams.filter { $0.path != nil }.count
    }

    /// Reads and delivers everything.
    ///
    /// - Returns: The outcome of each stream, in order. An error that all of them share is reported with the first one.
    func run() async -> [ConnectionDelivery.StreamOutcome] {
        var ending: PlugError?
        do {
            let snapshot = try await shared.store.snapshot(of: stateID)
            // A state that was taken back, with none before it, is an empty one.
            (first, pass) = (snapshot.state.flatMap { $0.bytes.isEmpty ? nil : $0 }, snapshot.pass)
            try await fetcher.withMixedReader(of: streams.map(\.name), from: first) { try await deliver($0) }
        } catch {
            ending = PlugRun.plugError(error)
        }
        // If this run lacks that stream, the first one reports the error.
        let failed = ending?.stream.flatMap { name in streams.first { $0.name == name }?.name } ?? streams.first?.name
        if let error = ending {
            if let failed, errors[failed] != nil { shared.warn(error) }
            await fail(error)
        }
        if hasLostState {
            shared.observer(
                .warning(
                    code: .programStateKept,
                    message:
                        "the program's newest states were not kept, because not all of its streams were delivered: the next run reads "
                        + "from the one before again"
                )
            )
        }
        for (name, run) in runs { counts[name] = run.delivery.counts }
        return streams.map { stream in
            var outcome = ConnectionDelivery.StreamOutcome()
            outcome.counts = counts[stream.name] ?? StreamCounts()
            outcome.error = errors[stream.name]
            if outcome.error == nil, let error = ending {
                // Reported once.
                outcome.error = stream.name == failed ? error : nil
            }
            return outcome
        }
    }

    private func deliver(_ reader: any MixedReader) async throws {
        let (room, plug) = (shared.room, shared.request.manifest.id)
        while true {
            var place = try await room.reserve(plug)
            defer { room.release(place) }
            guard let event = try await reader.next() else { break }
            switch event {
            case .page(let name, let page):
                try await room.correct(&place, body: page.weight ?? page.cost.bytes)
                try await deliver(page, of: name)
            case .state(let state):
                waiting = .some(state ?? first)
                if !keepsState { hasLostState = true }
            }
            try await commitState()
            try shared.request.yielding?.check()
        }
        for name in await reader.found { try await end(name) }
        try await commitState()
    }

    // MARK: - Pages

    private func deliver(_ page: FetchedPage, of name: String) async throws {
        guard errors[name] == nil else { return }
        do {
            let run = try await run(of: name, page.key)
            try await run.deliver(page)
            shared.observer(.counts(stream: name, run.delivery.counts))
        } catch {
            try await fail(name, error)
        }
    }

    private func run(of name: String, _ key: [String]) async throws -> StreamRun {
        if let run = runs[name] { return run }
        let config = shared.request.manifest.withoutSecrets(shared.request.config)
        guard let stream = streams.first(where: { $0.name == name })?.keyed(by: key), let path = stream.path,
            let normaliser = Normaliser(stream, config: config)
        else {
            throw PlugError(
                .unexpected,
                "a page of an unknown stream",
                advice: "report it; running again loses nothing"
            )
        }
        // The new stream may have to know what others have delivered.
        try await commitPages()
        shared.observer(.stream(name))
        let snapshot = opened.waiting.isEmpty ? opened.streams[name] : nil
        let run = try await StreamRun(
            normaliser,
            to: path,
            shared,
            snapshot: snapshot,
            turn: nil,
            mayHoldLetters: mayHoldLetters,
            commitBytes: shared.request.limits.commitBytes / streams.count
        )
        try await run.begin()
        runs[name] = run
        return run
    }

    /// Ends the pass of a stream: it is complete, as the source has ended normally.
    private func end(_ name: String) async throws {
        guard errors[name] == nil, streams.contains(where: { $0.name == name }) else { return }
        let last = FetchedPage(records: [], states: [:], endsPass: true, origin: name)
        // If a stream has no records, its ledger entries stay.
        guard let run = runs[name] else { return shared.observer(.stream(name)) }
        do {
            try await run.deliver(last)
            try await run.end()
            shared.observer(.counts(stream: name, run.delivery.counts))
        } catch {
            try await fail(name, error)
        }
    }

    /// Stops one stream: the others continue, unless they would fare no better. The state stays where it is.
    private func fail(_ name: String, _ error: any Error) async throws {
        var error = PlugRun.plugError(error).inStream(name)
        if let run = runs[name] { error = await run.failure(error) }
        if keepsState { hasLostState = true }
        keepsState = false
        guard error.reach != .run else { throw error }
        errors[name] = error
    }

    /// Stops everything: what is proved is kept, and what is undecided is reported.
    private func fail(_ error: PlugError) async {
        for (name, run) in runs where errors[name] == nil {
            let last = await run.failure(error)
            // Otherwise it is reported once for all streams.
            if last.message != error.message { errors[name] = last }
        }
    }

    // MARK: - The state

    /// Commits what the streams have gathered.
    private func commitPages() async throws {
        for (name, run) in runs where errors[name] == nil { try await run.deliver(.checkpoint) }
    }

    private func commitState() async throws {
        guard keepsState, let state = waiting, runs.values.allSatisfy({ $0.delivery.undecided.isEmpty }) else { return }
        waiting = nil
        try await commitPages()
        try await shared.store.commit(StreamCommit(stream: stateID, pass: pass, states: ["": state ?? StreamState([])]))
    }
}
