package import PlugCore

/// What plughost remembers between runs: connections, places, proved records, dead letters, the outbox, tokens, runs.
///
/// Any number of processes may write to a store and read in it. A connection's runs exclude each other, by its lease.
/// Every promise below is a test in `PlugStoreContract`, which any implementation has to pass.
///
/// - **Hangs on the connection.** Every row but server notes belongs to a connection that `openConnection` or `openRun`
///   has made. A write for an unknown connection throws `connection-unknown`; a read of one answers as if nothing had
///   been stored.
/// - **Durable on return.** When a writing call returns, its effect survives the end of the process and of the machine.
/// - **Cancelled.** A write that was asked for is done, also if its task was cancelled: what a PDA has answered is
///   never forgotten. A read of a cancelled task may throw `CancellationError`.
/// - **All or nothing.** A writing call that throws has changed nothing, and disturbs no other call.
/// - **Encrypted.** Tokens, states, dead letters, outbox bytes and server notes are unreadable without the host's key. A
///   stored value that was changed, cut or moved to another row is refused with `state-damaged`.
///
/// Errors are `PlugError`: `state-read-only` for a write through a reader, `store-failed` (exit 75) where the disk or
/// SQLite fails, `state-damaged` (exit 78) where stored bytes do not hold what was written.
package protocol PlugStore: ServerNoteKeeping {
    /// Where files may be made for what does not fit into memory; `nil` if there is no disk.
    var scratchFolder: String? { get }

    // MARK: Connections

    /// Creates the connection, or checks that it is the same plug and PDA.
    ///
    /// - Parameters:
    ///   - id: The connection's name.
    ///   - plug: The plug's id.
    ///   - pda: The PDA's origin, such as `https://bob.hubofallthings.net`. Compared as it is.
    /// - Throws: `connection-elsewhere` (exit 78) if the connection belongs to another PDA or plug; both are named.
    func openConnection(_ id: ConnectionID, plug: String, pda: String) async throws -> Connection

    /// One connection, `nil` if there is none of this name.
    func connection(_ id: ConnectionID) async throws -> Connection?

    /// All connections, ordered by name.
    func connections() async throws -> [Connection]

    /// Destroys a connection's data key and everything that hangs on it. Whoever asks holds its lease.
    ///
    /// - Returns: What was destroyed; `nil` if there is no such connection.
    @discardableResult
    func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt?

    /// Takes the lease of a connection, which no other task and no other process then has until it ends. A store that was
    /// opened to wait waits for whoever holds it.
    ///
    /// - Throws: `state-locked` (75, names the holder); `connection-unknown`.
    func lease(_ connection: ConnectionID) async throws -> ConnectionLease

    /// Opens the connection, takes its lease, writes down that a run has begun, and says what it finds: all that a run
    /// needs to know of the store before its first request, at once.
    ///
    /// - Parameters:
    ///   - start: The run, its connection and its time.
    ///   - plug: The plug's id.
    ///   - pda: The PDA's origin.
    ///   - streams: The names of the streams that the run will read.
    /// - Throws: As `openConnection` and `lease`; then no run has begun.
    func openRun(_ start: RunStart, plug: String, pda: String, streams: [String]) async throws -> OpenedRun

    /// A stream as it stands.
    func snapshot(of stream: StreamID) async throws -> StreamSnapshot

    /// The names of a connection's streams of which anything is stored, in order.
    func streamNames(of connection: ConnectionID) async throws -> [String]

    // MARK: Places and proof

    /// Where a part of a stream continues, `nil` if nothing was committed yet.
    func state(of stream: StreamID, part: String) async throws -> StreamState?

    /// The pass that the next commit of this stream belongs to. A new stream begins with pass 1.
    func currentPass(of stream: StreamID) async throws -> Int64

    /// Hands over the ledger row by row, in the order in which the rows were committed.
    ///
    /// A ledger holds the last complete pass and what the current pass has proved so far. One million records are
    /// 16 MB; only one row of them is in memory at a time.
    ///
    /// - Parameter body: Receives a row's pass and its fingerprints (see `RecordFingerprint.forEach`). It runs on
    ///   another thread, one call after another, before this call returns.
    func forEachLedgerRow(
        of stream: StreamID,
        _ body: @Sendable (_ pass: Int64, _ packed: [UInt8]) -> Void
    ) async throws

    /// In how many runs a record was refused alone, for each record that is not settled yet.
    func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int]

    /// Commits what one page led to, in one transaction: states, ledger row, dead letters, refusals, outbox batches.
    ///
    /// Commits of many streams that arrive together share one transaction of the database, and still succeed or fail
    /// each for itself.
    ///
    /// - Throws: `commit-stale` (exit 75) if `commit.pass` is not the stream's current pass: somebody else has moved
    ///   the stream on, and nothing of this commit is stored.
    func commit(_ commit: StreamCommit) async throws

    // MARK: Dead letters

    /// Dead letters, oldest first.
    func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter]

    /// How much the dead letters of a connection take, or those of the whole host for `nil`.
    func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize

    /// One dead letter, `nil` if there is none with this id.
    func deadLetter(_ id: Int64) async throws -> StoredDeadLetter?

    /// Removes dead letters; a person asked for it.
    ///
    /// - Returns: How many there were of them.
    func removeDeadLetters(_ ids: [Int64]) async throws -> Int

    /// Puts the newest reason on a dead letter that was tried again. Does nothing if there is none with this id.
    func renewDeadLetter(_ id: Int64, reason: String) async throws

    // MARK: Outbox

    /// A stream's frozen batches, in the order in which they have to be sent.
    ///
    /// - Parameters:
    ///   - after: Only those with greater numbers.
    ///   - limit: At most so many, the oldest: a batch may be 1 MiB.
    func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch]

    /// One batch, `nil` if there is none with this number.
    func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch?

    /// Removes batches that wait; a person asked for it. What the ledger says of their records stays: they count as settled.
    ///
    /// - Returns: How many there were of them.
    func removeOutboxBatches(_ ids: [Int64]) async throws -> Int

    /// The streams with batches that wait, of one connection or of all, the one with the oldest batch first.
    func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox]

    /// How much waits in the outbox of a stream, or of the whole host for `nil`.
    func outboxSize(of stream: StreamID?) async throws -> OutboxSize

    /// Removes from a batch what the PDA has answered to and applies what follows from the answer, in one transaction.
    ///
    /// - Parameters:
    ///   - batch: The id of a batch of the stream; any other throws `outbox-gone` (exit 70).
    ///   - rest: What is left of it, in its place; `nil` if nothing is.
    ///   - commit: What the answer proved. The states of a queued page were committed when it was queued, so that its
    ///     `states` are usually empty here. Its pass may be an older one; one that has not begun throws `commit-stale`.
    func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws

    // MARK: Tokens

    /// The newest token that a PDA's answers gave, `nil` if none was kept.
    func keptToken(of connection: ConnectionID) async throws -> KeptToken?

    /// Keeps a token if it was issued after the one that is kept; otherwise does nothing.
    func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws

    // MARK: Runs

    /// Writes down that a run has begun.
    ///
    /// - Returns: The run's id, greater than all before it.
    func beginRun(_ run: RunStart) async throws -> Int64

    /// Writes down how a run ended. A run that has none of this was interrupted by the end of its process.
    ///
    /// - Throws: `run-unknown` if there is no such run (its connection may have been erased).
    func endRun(_ id: Int64, outcome: String, report: [UInt8]) async throws

    /// Runs, newest first: the newest hundred of each connection and a few more, always with the last one that ended and
    /// the last one that was `done`.
    func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun]

    /// One run, `nil` if there is none with this number.
    func run(_ id: Int64) async throws -> StoredRun?

    // MARK: Server notes

    // `ServerNoteKeeping` has them. Erasing a connection takes along only the one that is named after it. Their names are stored so
    // that nobody can read them without the host's key: one may be the address of a person's PDA. Whatever has expired goes
    // with each write, also among the notes that are written: one that has expired already removes its namesake. A note
    // that is not as it was written counts as none: it is only a memo.
}

extension PlugStore {
    /// None, unless a store has a disk.
    package var scratchFolder: String? { nil }

    /// A stream's oldest batches.
    package func outbox(of stream: StreamID, limit: Int) async throws -> [StoredOutboxBatch] {
        try await outbox(of: stream, after: 0, limit: limit)
    }
}
