package import PlugCore

/// What a run finds when it begins.
package struct OpenedRun: Sendable {
    /// The connection, made where there was none.
    package var connection: Connection
    /// The run's id, greater than all before it.
    package var id: Int64
    /// Keeps others from the connection until the run has ended.
    package var lease: ConnectionLease?
    /// The newest token that a PDA's answers gave.
    package var token: KeptToken?
    /// What waits in the connection's outbox.
    package var waiting: [WaitingOutbox]
    /// The streams that were asked for, by name.
    package var streams: [String: StreamSnapshot]
    /// Whether the state holds dead letters, of whichever connection.
    package var hasDeadLetters = false

    /// An opened run.
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

/// A stream as it stands before it is read.
package struct StreamSnapshot: Sendable {
    /// The pass that the next commit belongs to.
    package var pass: Int64 = 1
    /// The state of the part `""`.
    package var state: StreamState?
    /// In how many runs each record was refused alone, of those that are not settled yet.
    package var refusals: [RecordFingerprint: Int] = [:]
    /// What earlier runs have learnt of it.
    package var profile: StreamProfile?
    /// Whether the ledger holds rows.
    package var hasLedger = false
    /// Whether the inventory holds rows.
    package var hasInventory = false

    /// A stream of which nothing is known.
    package init() {}
}

extension PlugStore {
    /// One call after another; a store with a disk does it in one transaction.
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
    /// One call after another; a store with a disk reads it at one moment.
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
