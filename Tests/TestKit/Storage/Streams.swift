package import PlugCore
package import PlugStorage

extension MemoryStore {
    /// See `PlugStore`.
    package func state(of stream: StreamID, part: String) -> StreamState? { streams[stream]?.states[part] }

    /// See `PlugStore`.
    package func profile(of stream: StreamID) -> StreamProfile? { streams[stream]?.profile }

    /// See `PlugStore`.
    package func currentPass(of stream: StreamID) -> Int64 { streams[stream]?.pass ?? 1 }

    /// See `PlugStore`.
    package func forEachLedgerRow(
        of stream: StreamID,
        _ body: @Sendable (_ pass: Int64, _ packed: [UInt8]) -> Void
    ) {
        for row in streams[stream]?.ledger ?? [] { body(row.pass, row.packed) }
    }

    /// See `PlugStore`.
    package func forEachInventoryRow(
        of stream: StreamID,
        pass: Int64,
        newestFirst: Bool,
        _ body: @Sendable (_ inventory: [UInt8]) -> Void
    ) {
        let rows = (streams[stream]?.inventory ?? []).filter { $0.pass == pass }
        for row in newestFirst ? rows.reversed() : rows { body(row.bytes) }
    }

    /// See `PlugStore`.
    package func refusals(of stream: StreamID) -> [RecordFingerprint: Int] { streams[stream]?.refusals ?? [:] }

    /// See `PlugStore`.
    package func commit(_ commit: StreamCommit) throws {
        try commit.validate()
        try require(commit.stream.connection)
        let current = currentPass(of: commit.stream)
        guard commit.pass == current else { throw StoreErrors.stale(commit, current: current) }
        apply(commit)
    }

    /// See `PlugStore`.
    package func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) throws {
        try commit.validate()
        try require(commit.stream.connection)
        guard let index = batches.firstIndex(where: { $0.id == batch && $0.stream == commit.stream }) else {
            throw StoreErrors.outboxGone(batch)
        }
        let current = currentPass(of: commit.stream)
        guard commit.pass <= current else { throw StoreErrors.stale(commit, current: current) }
        if let rest { batches[index].batch = rest } else { batches.remove(at: index) }
        apply(commit)
    }

    private func apply(_ commit: StreamCommit) {
        let now = clock.now()
        var stream = streams[commit.stream] ?? Stream()
        stream.states.merge(commit.states) { $1 }
        for part in commit.met + Array(commit.states.keys) where !part.isEmpty && stream.states[part] != nil {
            stream.met[part] = stream.pass
        }
        if !commit.ledger.isEmpty, commit.pass >= stream.pass - 1 {
            // In the order of passes, as a settled batch may belong to the one before.
            let place = stream.ledger.firstIndex { $0.pass > commit.pass } ?? stream.ledger.endIndex
            stream.ledger.insert((commit.pass, commit.ledger), at: place)
        }
        if commit.dropsInventory { stream.inventory.removeAll { $0.pass == commit.pass } }
        if !commit.inventory.isEmpty, commit.pass >= stream.pass - 1 {
            stream.inventory.append((commit.pass, commit.inventory))
        }
        if let profile = commit.profile { stream.profile = profile }
        for fingerprint in commit.refused { stream.refusals[fingerprint, default: 0] += 1 }
        for fingerprint in commit.settled { stream.refusals[fingerprint] = nil }
        let (connection, name) = (commit.stream.connection, commit.stream.stream)
        for letter in commit.deadLetters {
            // In the place of one about the same record.
            let known = letters.firstIndex {
                $0.connection == connection && $0.stream == name && $0.letter.stage == letter.stage
                    && $0.letter.path == letter.path && $0.letter.record == letter.record
            }
            if let known {
                letters[known].letter = letter
            } else {
                let id = nextID()
                letters.append(
                    StoredDeadLetter(id: id, connection: connection, stream: name, at: now, letter: letter)
                )
            }
        }
        batches += commit.outbox.map {
            StoredOutboxBatch(id: nextID(), stream: commit.stream, at: now, batch: $0)
        }
        if commit.completesPass, commit.pass == stream.pass {
            if !commit.keepsLedger { stream.ledger.removeAll { $0.pass < commit.pass } }
            stream.inventory.removeAll { $0.pass < commit.pass }
            if commit.listsAllParts {
                for (part, met) in stream.met where met < stream.pass - PartAge.kept {
                    stream.states[part] = nil
                    stream.met[part] = nil
                }
            }
            stream.pass += 1
        }
        streams[commit.stream] = stream
    }

    // MARK: - Dead letters and outbox

    /// See `PlugStore`.
    package func deadLetters(_ filter: DeadLetterFilter) -> [StoredDeadLetter] {
        let meant = letters.lazy.filter { letter in
            letter.id > filter.after
                && (filter.connection == nil || letter.connection == filter.connection)
                && (filter.stream == nil || letter.stream == filter.stream)
        }
        return Array(meant.prefix(max(0, filter.limit)))
    }

    /// See `PlugStore`.
    package func deadLetterSize(of connection: ConnectionID?) -> DeadLetterSize {
        let meant = letters.filter { connection == nil || $0.connection == connection }
        let bytes = meant.reduce(0) { $0 + $1.letter.record.count + $1.letter.reason.utf8.count }
        return DeadLetterSize(letters: meant.count, bytes: bytes)
    }

    /// See `PlugStore`.
    package func deadLetter(_ id: Int64) -> StoredDeadLetter? { letters.first { $0.id == id } }

    /// See `PlugStore`.
    package func removeDeadLetters(_ ids: [Int64]) -> Int {
        let before = letters.count
        letters.removeAll { ids.contains($0.id) }
        return before - letters.count
    }

    /// See `PlugStore`.
    package func renewDeadLetter(_ id: Int64, reason: String) {
        guard let index = letters.firstIndex(where: { $0.id == id }) else { return }
        letters[index].letter.reason = reason
    }

    /// See `PlugStore`.
    package func outbox(of stream: StreamID, after: Int64, limit: Int) -> [StoredOutboxBatch] {
        Array(batches.lazy.filter { $0.stream == stream && $0.id > after }.prefix(max(0, limit)))
    }

    /// See `PlugStore`.
    package func outboxBatch(_ id: Int64) -> StoredOutboxBatch? { batches.first { $0.id == id } }

    /// See `PlugStore`.
    package func removeOutboxBatches(_ ids: [Int64]) -> Int {
        let before = batches.count
        batches.removeAll { ids.contains($0.id) }
        return before - batches.count
    }

    /// See `PlugStore`.
    package func outboxes(of connection: ConnectionID?) -> [WaitingOutbox] {
        let meant = batches.filter { connection == nil || $0.stream.connection == connection }
        let waiting = Dictionary(grouping: meant, by: \.stream).compactMap { stream, batches -> WaitingOutbox? in
            guard let first = batches.first, let last = batches.last else { return nil }
            return WaitingOutbox(
                stream: stream,
                size: OutboxSize(batches: batches.count, bytes: batches.reduce(0) { $0 + $1.batch.records.bodySize }),
                records: batches.reduce(0) { $0 + $1.batch.records.entries.count },
                ids: first.id...last.id,
                since: batches.reduce(first.at) { min($0, $1.at) },
                unanswered: batches.count { $0.batch.unanswered > 0 }
            )
        }
        return waiting.sorted { $0.ids.lowerBound < $1.ids.lowerBound }
    }

    /// See `PlugStore`.
    package func outboxSize(of stream: StreamID?) -> OutboxSize {
        let meant = batches.filter { stream == nil || $0.stream == stream }
        return OutboxSize(batches: meant.count, bytes: meant.reduce(0) { $0 + $1.batch.records.bodySize })
    }
}

extension ForwardingStore {
    package func snapshot(of stream: StreamID) async throws -> StreamSnapshot {
        try await reading { try await store.snapshot(of: stream) }
    }
    package func state(of stream: StreamID, part: String) async throws -> StreamState? {
        try await reading { try await store.state(of: stream, part: part) }
    }
    package func profile(of stream: StreamID) async throws -> StreamProfile? {
        try await reading { try await store.profile(of: stream) }
    }
    package func currentPass(of stream: StreamID) async throws -> Int64 {
        try await reading { try await store.currentPass(of: stream) }
    }
    package func forEachLedgerRow(of stream: StreamID, _ body: @Sendable (Int64, [UInt8]) -> Void) async throws {
        try await reading { try await store.forEachLedgerRow(of: stream, body) }
    }
    package func forEachInventoryRow(
        of stream: StreamID,
        pass: Int64,
        newestFirst: Bool,
        _ body: @Sendable ([UInt8]) -> Void
    ) async throws {
        try await reading {
            try await store.forEachInventoryRow(of: stream, pass: pass, newestFirst: newestFirst, body)
        }
    }
    package func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        try await reading { try await store.refusals(of: stream) }
    }
    package func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter] {
        try await reading { try await store.deadLetters(filter) }
    }
    package func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize {
        try await reading { try await store.deadLetterSize(of: connection) }
    }
    package func deadLetter(_ id: Int64) async throws -> StoredDeadLetter? {
        try await reading { try await store.deadLetter(id) }
    }
    package func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch] {
        try await reading { try await store.outbox(of: stream, after: after, limit: limit) }
    }
    package func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch? {
        try await reading { try await store.outboxBatch(id) }
    }
    package func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox] {
        try await reading { try await store.outboxes(of: connection) }
    }
    package func outboxSize(of stream: StreamID?) async throws -> OutboxSize {
        try await reading { try await store.outboxSize(of: stream) }
    }
    package func commit(_ commit: StreamCommit) async throws {
        try await writing("commit \(commit.stream)") { try await store.commit(commit) }
    }
    package func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws {
        try await writing("settle \(commit.stream)") { try await store.settle(batch, leaving: rest, with: commit) }
    }
    package func removeDeadLetters(_ ids: [Int64]) async throws -> Int {
        try await writing("remove letters") { try await store.removeDeadLetters(ids) }
    }
    package func renewDeadLetter(_ id: Int64, reason: String) async throws {
        try await writing("renew letter") { try await store.renewDeadLetter(id, reason: reason) }
    }
    package func removeOutboxBatches(_ ids: [Int64]) async throws -> Int {
        try await writing("remove batches") { try await store.removeOutboxBatches(ids) }
    }
}
