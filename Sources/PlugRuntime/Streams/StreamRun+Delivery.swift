internal import PlugCore
internal import PlugDeliver
internal import PlugNormalise
internal import PlugStorage

// The handling of one page.
extension StreamRun {
    // Not inlined into the loop over pages, like the next ones: otherwise its frame, with which thousands of runs wait, would
    // reserve room for all that is inlined into it.
    /// Delivers a page.
    @inline(never)
    func deliver(_ page: FetchedPage) async throws {
        var page = try await lookUp(page)
        try await writeDown(&page)
        if let inventory, page.endsPass, !page.leavesOutParents {
            try await deliverLast(page, inventory)
        } else {
            try await deliver(page)
        }
    }

    /// Delivers a page that was looked up in the ledger.
    func deliver(_ page: IncomingPage) async throws {
        try await deliver(.page(page, shared.outbox.view(of: id)))
        try await ledger.relieveMemory()
    }

    /// Records what a page is about before the PDA receives it, if passes are compared: if this process dies between the PDA's
    /// answer and the commit, and the thing is gone by the next run, nothing else would know that the PDA has it.
    private func writeDown(_ page: inout IncomingPage) async throws {
        // The things of a queued page are queued with it.
        guard !page.inventory.isEmpty, page.isRepeatable, !shared.request.queuesEverything,
            page.findings.contains(.unknown)
        else { return }
        try await shared.store.commit(StreamCommit(stream: id, pass: pass, inventory: page.inventory))
        page.inventory = []
    }

    /// Normalises a page and looks its records up in the ledger.
    @inline(never)
    private func lookUp(_ fetched: FetchedPage) async throws -> IncomingPage {
        do { return try await met(fetched) } catch {
            // The cost of the request counts even if nothing comes of it.
            delivery.counts.add(fetched.cost)
            throw error
        }
    }

    private func met(_ fetched: FetchedPage) async throws -> IncomingPage {
        var fetched = fetched
        let normalised = try normaliser.normalise(&fetched)
        if normaliser.hasMisfits {
            if let state = fetched.stateLeavingOut { fetched.states[""] = state }
            for part in fetched.provedParts { fetched.states[part] = nil }
        }
        var page = IncomingPage(
            states: fetched.states,
            endsPass: fetched.endsPass,
            isRepeatable: fetched.isRepeatable,
            leavesOutParents: normaliser.hasMisfits,
            cost: fetched.cost,
            dropped: normalised.dropped,
            deleted: normalised.deletions.count,
            repaired: normalised.repaired,
            block: normalised.block
        )
        if let inventory {
            if fetched.beginsPass { beganPass = true }
            page.inventory = try inventory.row(of: normalised, beginsPass: fetched.beginsPass, &noted)
        } else if hasInventory {
            // Reading without comparing leaves a gap.
            (page.dropsInventory, hasInventory) = (true, false)
        }
        for letter in normalised.deadLetters {
            let fingerprint = fingerprinter.fingerprint(letter)
            if try ledger.meet(fingerprint) == .unknown { page.letters.append(letter) }
            page.letterFingerprints.append(fingerprint)
        }
        // A page that cannot be read again is kept in any case.
        if page.isRepeatable, !page.letters.isEmpty { try await letterRoom.check(page.letters, in: id) }
        try meet(&page)
        return page
    }

    /// Looks a page's records up in the ledger.
    func meet(_ page: inout IncomingPage) throws(PlugError) {
        page.fingerprints = fingerprinter.fingerprints(page.block)
        page.findings = try ledger.meet(page.fingerprints)
    }

    /// Passes on an event and performs the resulting actions, until another page is wanted.
    @inline(never)
    func deliver(_ event: StreamDelivery.Event) async throws {
        var next: StreamDelivery.Event? = event
        while let event = next {
            next = nil
            for action in delivery.handle(event) { next = try await perform(action) }
        }
    }

    /// - Returns: The answer to an action that asks something.
    private func perform(_ action: StreamDelivery.Action) async throws -> StreamDelivery.Event? {
        let outbox = shared.outbox
        switch action {
        case .post(let records, let refusedBefore):
            postedAt = outbox.now
            let receipt = await shared.deliverer.deliver(
                records.block,
                selection: records.indexes,
                to: delivery.path,
                pauses: true,
                refusedBefore: { refusedBefore[$0] ?? 0 }
            )
            outbox.note(receipt)
            return .answered(receipt, at: outbox.now)
        case .askForRoom: return try await outbox.fullness(of: id).map { .noRoom($0) } ?? .room
        case .drain:
            try await outbox.drain(id)
            return .drained(outbox.view(of: id))
        case .commit(let commit):
            do { try await write(commit) } catch {
                _ = delivery.handle(.notCommitted(commit))
                throw error
            }
            _ = delivery.handle(.committed(commit))
        case .noteOutage(let error): outbox.note(outage: error)
        case .noteUnanswered(let error): try await outbox.holdBack(id, error, since: postedAt)
        case .halt(let error): throw error
        case .readOn, .end: break
        }
        return nil
    }

    @inline(never)
    private func write(_ commit: PendingCommit) async throws {
        if commit.endsPass, drift == nil { drift = meetSource() }
        if !commit.outbox.isEmpty { shared.outbox.mayHoldBatches = true }
        try await shared.store.commit(
            StreamCommit(
                stream: id,
                pass: pass,
                states: commit.states,
                met: met.take(),
                listsAllParts: shared.request.since == nil && shared.request.manifest.listsAllParents(of: stream),
                ledger: ledger.row(commit.proved),
                inventory: commit.inventory,
                dropsInventory: commit.dropsInventory,
                completesPass: commit.endsPass,
                keepsLedger: delivery.remembers,
                deadLetters: commit.deadLetters,
                refused: commit.refused,
                settled: commit.settled,
                outbox: commit.outbox,
                profile: profile == storedProfile ? nil : profile
            )
        )
        storedProfile = profile
    }

    /// Compares the source's records with those of earlier passes.
    private func meetSource() -> SourceDrift {
        var known = profile.members ?? KnownMembers(of: stream)
        if !known.isOf(stream) { known = KnownMembers(of: stream) }
        defer { if known.passes > 0 { profile.members = known } }
        return SourceDrift(normaliser.shape, &known)
    }
}
