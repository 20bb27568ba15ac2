internal import FoundationEssentials
internal import GRDB
internal import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func commit(_ commit: StreamCommit) async throws {
        try commit.validate()
        let now = clock.now()
        try await write { [openRuns] database, key in
            let stream = try StreamRow.make(commit.stream, openRuns, database, key)
            guard commit.pass == stream.pass else { throw StoreErrors.stale(commit, current: stream.pass) }
            try stream.apply(commit, at: now, database)
        }
    }

    /// See `PlugStore`.
    package func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws {
        try commit.validate()
        let now = clock.now()
        try await write { [openRuns] database, key in
            let stream = try StreamRow.make(commit.stream, openRuns, database, key)
            // The stream may have moved on since the batch was queued; it cannot have moved back.
            guard commit.pass <= stream.pass else { throw StoreErrors.stale(commit, current: stream.pass) }
            try stream.settle(batch, leaving: rest, database)
            try stream.apply(commit, at: now, database)
        }
    }
}

extension StreamCommit {
    /// Checks what only a bug of ours can have caused.
    package func validate() throws {
        guard ledger.count.isMultiple(of: RecordFingerprint.packedSize) else {
            throw StoreErrors.ledgerMalformed(stream, bytes: ledger.count)
        }
    }
}

extension StreamRow {
    /// Writes a commit; the caller has checked its pass.
    func apply(_ commit: StreamCommit, at now: Int64, _ database: Database) throws {
        try write(commit.states, database)
        try note(met: commit.met, database)
        // What a pass before the last complete one proved would be removed with the next completion anyway.
        if !commit.ledger.isEmpty, commit.pass >= pass - 1 {
            let sql = "INSERT INTO ledger (stream, pass, packed) VALUES (?, ?, ?)"
            try database.run(sql, rowID, commit.pass, Data(commit.ledger))
        }
        if commit.dropsInventory {
            try database.run("DELETE FROM inventory WHERE stream = ? AND pass = ?", rowID, commit.pass)
        }
        if !commit.inventory.isEmpty, commit.pass >= pass - 1 {
            let inventoryID = try database.nextID(of: "inventory")
            let place = SealedPlace.inventory(inventoryID, stream: id.stream, pass: commit.pass)
            let sql = "INSERT INTO inventory (id, stream, pass, sealed) VALUES (?, ?, ?, ?)"
            try database.run(sql, inventoryID, rowID, commit.pass, try key.seal(commit.inventory, in: place))
        }
        try count(refused: commit.refused, settled: commit.settled, database)
        if let profile = commit.profile { try write(profile, database) }
        for letter in commit.deadLetters { try insert(letter, at: now, database) }
        for batch in commit.outbox { try insert(batch, at: now, database) }
        if commit.completesPass, commit.pass == pass {
            if commit.listsAllParts { try forgetParts(database) }
            try completePass(keepsLedger: commit.keepsLedger, database)
        }
    }

    private func write(_ states: [String: StreamState], _ database: Database) throws {
        let sql = """
            INSERT INTO state (stream, part, sealed, met) VALUES (?, ?, ?, ?)
            ON CONFLICT (stream, part) DO UPDATE SET sealed = excluded.sealed, met = excluded.met
            """
        for (part, state) in states {
            let name = key.hiddenName(ofPart: part, stream: id.stream)
            let sealed = try key.seal(state.bytes, in: .state(stream: id.stream, part: part))
            try database.run(sql, rowID, name, sealed, pass)
        }
    }

    private func note(met parts: [String], _ database: Database) throws {
        let sql = "UPDATE state SET met = ? WHERE stream = ? AND part = ? AND met < ?"
        for part in parts {
            let name = key.hiddenName(ofPart: part, stream: id.stream)
            try database.run(sql, pass, rowID, name, pass - PartAge.noted)
        }
    }

    /// Forgets parts that no pass has listed for long, a limited number at a time.
    private func forgetParts(_ database: Database) throws {
        let sql = """
            DELETE FROM state WHERE stream = ?1 AND part IN (
                SELECT part FROM state WHERE stream = ?1 AND met < ?2 AND part <> ?3 LIMIT ?4
            )
            """
        let whole = key.hiddenName(ofPart: "", stream: id.stream)
        try database.run(sql, rowID, pass - PartAge.kept, whole, PartAge.step)
    }

    private func count(
        refused: [RecordFingerprint],
        settled: [RecordFingerprint],
        _ database: Database
    ) throws {
        let counting = """
            INSERT INTO refusal (stream, fingerprint, runs) VALUES (?, ?, 1)
            ON CONFLICT (stream, fingerprint) DO UPDATE SET runs = runs + 1
            """
        for fingerprint in refused {
            try database.run(counting, rowID, fingerprint.packedData)
        }
        for fingerprint in settled {
            try database.run("DELETE FROM refusal WHERE stream = ? AND fingerprint = ?", rowID, fingerprint.packedData)
        }
    }

    private func completePass(keepsLedger: Bool, _ database: Database) throws {
        // Nothing is older than the first pass.
        if pass > 1 {
            if !keepsLedger { try database.run("DELETE FROM ledger WHERE stream = ? AND pass < ?", rowID, pass) }
            try database.run("DELETE FROM inventory WHERE stream = ? AND pass < ?", rowID, pass)
        }
        try database.run("UPDATE stream SET pass = pass + 1 WHERE id = ?", rowID)
    }
}

extension RecordFingerprint {
    fileprivate var packedData: Data { Data(Self.packed([self])) }
}
