internal import PlugCore
internal import PlugDeliver
internal import PlugFetch
internal import PlugManifest
internal import PlugNormalise
internal import PlugStorage

/// One stream of a run: reads its pages, and carries out what `StreamDelivery` decides about their records.
///
/// The next page is fetched while this one is delivered; other streams of the connection are read concurrently and deliver in
/// turn.
///
/// A class without a lock: only its creator uses it, and it runs in its caller's isolation. A value would be copied into the
/// frame of each of its asynchronous functions, which takes a good part of a small run's time.
final class StreamRun {
    /// Makes the records of one page.
    private let pageNormaliser: Normaliser
    var stream: Stream { pageNormaliser.stream }
    let shared: SharedParts
    let id: StreamID
    /// Whose turn it is, if streams are read concurrently.
    private let turn: DeliveryTurn?
    /// Whether no other stream is being delivered until this one ends.
    private var isAlone: Bool
    let pass: Int64
    let met = MetParts()
    private var states: StoredStates
    private let mayHoldLetters: Bool
    let letterRoom: DeadLetterRoom
    let fingerprinter: Fingerprinter
    /// What the state knows about the stream, and what it must know with the next commit.
    var storedProfile: StreamProfile
    var profile: StreamProfile
    /// Changes in the source; `nil` until the pass is complete.
    var drift: SourceDrift?
    var ledger: PassLedger
    var normaliser: StreamNormaliser
    var delivery: StreamDelivery
    /// What passes are compared by; `nil` if a missing thing does not count as gone.
    let inventory: Inventory?
    /// What earlier runs of this pass have found.
    var noted: NotedThings?
    /// Whether this run has read the pass from its first page, if passes are compared.
    var beganPass = false
    /// Whether earlier passes delivered something.
    private let hadRecords: Bool
    /// Whether the store holds an inventory from when this stream compared its passes.
    var hasInventory: Bool
    /// Why missing things do not count as gone.
    var heldDeletions: PlugError?
    /// When records were last posted, in microseconds.
    var postedAt: Int64 = 0

    /// - Parameters:
    ///   - snapshot: The stored data of the stream, if already known.
    ///   - turn: Given if other streams are read concurrently.
    ///   - mayHoldLetters: Whether there may be dead letters, whose limits must be checked before anything is read.
    ///   - commitBytes: How much its pages gather for one commit.
    init(
        _ normaliser: Normaliser,
        to path: DataPath,
        _ shared: SharedParts,
        snapshot: StreamSnapshot?,
        turn: DeliveryTurn?,
        mayHoldLetters: Bool,
        commitBytes: Int
    ) async throws {
        let (connection, store, request) = (shared.connection, shared.store, shared.request)
        let stream = normaliser.stream
        pageNormaliser = normaliser
        self.shared = shared
        self.turn = turn
        isAlone = turn == nil
        id = StreamID(connection: connection.id, stream: stream.name)
        let found: StreamSnapshot
        if let snapshot { found = snapshot } else { found = try await store.snapshot(of: id) }
        pass = found.pass
        states = StoredStates(store: store, stream: id, whole: found.state, met: met)
        self.mayHoldLetters = mayHoldLetters
        letterRoom = DeadLetterRoom(connection: connection.id, store: store, limits: request.limits.deadLetters)
        fingerprinter = Fingerprinter(stream, key: connection.fingerprintKey)
        // Before, or together with, the first record that is kept.
        storedProfile = found.profile ?? StreamProfile()
        profile = storedProfile
        profile.hidden = stream.hidden
        let kin = request.manifest.kin(of: stream)
        ledger = try await PassLedger(
            id,
            pass: pass,
            fingerprinter,
            hasRows: found.hasLedger,
            kin: kin.map { StreamID(connection: connection.id, stream: $0) },
            from: store
        )
        self.normaliser = StreamNormaliser(normaliser)
        inventory = stream.missing.map { _ in Inventory(stream, to: path, key: connection.fingerprintKey) }
        hasInventory = found.hasInventory
        hadRecords = found.hasLedger
        if let inventory, found.hasInventory {
            noted = try await NotedThings(inventory, id, pass: pass, from: store)
        }
        delivery = StreamDelivery(
            stream: stream.name,
            path: path,
            options: shared.deliverer.options,
            resends: request.resends,
            // No export has everything, what a pass of a fetcher in Swift reads is unknown, and no pass of this stream reads what
            // another delivers.
            remembers: stream.archive != nil || stream.module != nil || !kin.isEmpty,
            queuesEverything: request.queuesEverything,
            commitBytes: commitBytes,
            refusals: found.refusals
        )
        delivery.counts.cursor = StoredStates.cursor(found.state)
    }

    /// Reads and delivers the pass to its end, or to an error. The counts are complete either way.
    func run() async throws {
        defer { if isAlone { turn?.leaveAlone() } }
        do {
            while try await readPages() == .postpone {
                try await turn?.enterAlone()
                isAlone = true
                if turn?.isOver == true { return }
                states.whole = try await shared.store.state(of: id, part: "")
            }
        } catch {
            let first = PlugRun.plugError(error)
            tellMisfit(beside: first)
            throw await failure(first)
        }
    }

    /// Ends with an error of the source, the store or the run. What complete pages have proved is kept.
    ///
    /// - Returns: The error to report: this one, or the store's if the store failed as well, or that the counts are wrong. In these
    ///   cases this one has been reported as a warning.
    func failure(_ error: PlugError) async -> PlugError {
        let error = error.inStream(id.stream)
        do { try await deliver(.failed(error)) } catch let last {
            let last = PlugRun.plugError(last)
            if last.message != error.message { shared.warn(error) }
            return last
        }
        return error
    }

    /// Reports which parent's records were left out, if another error ends the stream: nothing else in this run would.
    private func tellMisfit(beside error: PlugError) {
        guard let misfit = normaliser.misfitError, misfit.message != error.message else { return }
        shared.observer(.warning(code: misfit.code, message: misfit.message))
    }

    /// Delivers pages to the end of the pass, or until another stream has to go first.
    private func readPages() async throws -> DeliveryTurn.Answer {
        try await shared.fetcher.withReader(of: stream.name, from: states) { try await deliverPages($0) }
    }

    private func deliverPages(_ reader: any PageReader) async throws -> DeliveryTurn.Answer {
        try await begin()
        let (room, plug) = (shared.room, shared.request.manifest.id)
        var (held, ahead): (PageRoom.Place?, PageRoom.Place?) = (try await room.reserve(plug), nil)
        defer {
            room.release(held)
            room.release(ahead)
        }
        var upcoming = try await reader.next()
        while let page = upcoming {
            if var place = held {
                defer { held = place }
                try await room.correct(&place, body: page.weight ?? page.cost.bytes)
            }
            // A page that cannot be read again is not requested before this page is safe.
            ahead = page.isRepeatable && !page.endsPass ? room.reserveAtOnce(plug) : nil
            let isReadAhead = ahead != nil
            async let following = isReadAhead ? reader.next() : nil
            let answer = try await deliverInTurn(page)
            guard answer == .deliver else {
                try await deliver(.checkpoint)
                return answer
            }
            shared.observer(.counts(stream: stream.name, delivery.counts))
            upcoming = try await following
            if upcoming != nil || !page.endsPass { try shared.request.yielding?.check() }
            room.release(held)
            (held, ahead) = (ahead, nil)
            if isReadAhead || page.endsPass { continue }
            // Nothing is held while waiting, so that no two streams wait for each other.
            held = try await room.reserve(plug)
            upcoming = try await reader.next()
        }
        try await end()
        return .end
    }

    private func deliverInTurn(_ page: FetchedPage) async throws -> DeliveryTurn.Answer {
        guard let turn, !isAlone else {
            try await deliver(page)
            return .deliver
        }
        let answer = try await turn.take()
        guard answer == .deliver else { return answer }
        do { try await deliver(page) } catch {
            turn.give()
            throw error
        }
        if shared.outbox.isCalm, delivery.undecided.isEmpty {
            turn.give()
        } else {
            try await turn.stayAlone()
            isAlone = true
        }
        return .deliver
    }

    /// Checks for what keeps the stream from being read now.
    func begin() async throws {
        try await shared.outbox.catchUp(id)
        if shared.outbox.holdsBack(id), let full = try await shared.outbox.fullness(of: id) { throw full }
        if mayHoldLetters { try await letterRoom.check([], in: id) }
    }

    /// Ends the pass, and reports what its records show.
    func end() async throws {
        try await deliver(.passEnded)
        try judgePass()
    }

    /// The warning of a complete pass without records, where earlier ones had some: "nothing new" would say less.
    private var emptyPass: PlugError? {
        let counts = delivery.counts
        guard hadRecords, drift != nil, counts.fetched + counts.dropped + counts.filtered == 0, stream.archive == nil,
            shared.fetcher.mixed == nil, !shared.request.manifest.readsIncrementally(stream)
        else { return nil }
        return PlugError(.sourceEmpty, "stream '\(stream.name)': the source gave no records; it gave some before")
    }

    /// The warning of things that change although the manifest says that they never do.
    private var changedRecords: PlugError? {
        guard delivery.changed > 0, stream.declaresVersion, stream.version == nil else { return nil }
        let records = delivery.changed.counted("known record has", "known records have")
        return PlugError(
            .versionNone,
            "stream '\(stream.name)': \(records) changed, and 'version: none' says that they never do: the changes are not delivered"
        )
    }

    /// Reports what the records of the whole pass show.
    private func judgePass() throws {
        for fault in normaliser.findings.warnings(stream, in: shared.request.manifest) {
            shared.observer(.warning(code: fault.code, message: fault.message))
        }
        for warning in (drift?.warnings(stream, shared.redactor) ?? [])
            + [emptyPass, changedRecords].compactMap(\.self)
        {
            shared.observer(.warning(code: warning.code, message: warning.message))
        }
        let error =
            normaliser.misfitError ?? delivery.conflicts.error(
                in: stream,
                among: delivery.counts.fetched,
                shared.redactor
            )
            ?? normaliser.findings.versionFault(stream, enough: RecordFindings.enoughOfARun) ?? heldDeletions
        if let error { throw error }
    }
}
