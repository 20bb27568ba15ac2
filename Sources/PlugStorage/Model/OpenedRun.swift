package import PlugCore

/// What a run finds when it begins.
package struct OpenedRun: Sendable {
    /// The connection, created if it did not exist.
    package var connection: Connection
    /// The run's id, greater than all before it.
    package var id: Int64
    /// Keeps others from the connection until the run has ended.
    package var lease: ConnectionLease?
    /// The newest token that the PDA's answers returned.
    package var token: KeptToken?
    /// What waits in the connection's outbox.
    package var waiting: [WaitingOutbox]
    /// The requested streams, by name.
    package var streams: [String: StreamSnapshot]
    /// Whether the state holds dead letters, of any connection.
    package var hasDeadLetters = false

    /// Creates an opened run.
    package init(
        connection: Connection,
        id: Int64,
        token: KeptToken? = nil,
        waiting: [WaitingOutbox] = [],
        streams: [String: StreamSnapshot] = [:]
    ) {
        self.connection = connection
        self.id = id
        self.token = token
        self.waiting = waiting
        self.streams = streams
    }
}

/// A stream's stored data before it is read.
package struct StreamSnapshot: Sendable {
    /// The pass that the next commit belongs to.
    package var pass: Int64 = 1
    /// The state of the part `""`.
    package var state: StreamState?
    /// The number of runs in which each unsettled record was refused alone.
    package var refusals: [RecordFingerprint: Int] = [:]
    /// What earlier runs have learnt about it.
    package var profile: StreamProfile?
    /// Whether its ledger has rows.
    package var hasLedger = false
    /// Whether its inventory has rows.
    package var hasInventory = false

    /// Creates a snapshot of an unknown stream.
    package init() {}
}

extension PlugStore {
    /// Makes one call after another; a store with a disk does it in one transaction.
    package func openRun(_ start: RunStart, plug: String, pda: String, streams: [String]) async throws -> OpenedRun {
        let connection = try await openConnection(start.connection, plug: plug, pda: pda)
        let lease = try await lease(start.connection)
        var opened = OpenedRun(connection: connection, id: try await beginRun(start))
        opened.lease = lease
        opened.token = try await keptToken(of: start.connection)
        opened.waiting = try await outboxes(of: start.connection)
        opened.hasDeadLetters = try await deadLetterSize(of: nil).letters > 0
        for stream in streams {
            let id = StreamID(connection: start.connection, stream: stream)
            opened.streams[stream] = try await snapshot(of: id)
        }
        return opened
    }
}

extension PassStore {
    /// Makes one call after another; a store with a disk reads at a single moment.
    package func snapshot(of stream: StreamID) async throws -> StreamSnapshot {
        var snapshot = StreamSnapshot()
        snapshot.pass = try await currentPass(of: stream)
        snapshot.state = try await state(of: stream, part: "")
        snapshot.refusals = try await refusals(of: stream)
        snapshot.profile = try await profile(of: stream)
        snapshot.hasLedger = true
        snapshot.hasInventory = true
        return snapshot
    }
}
