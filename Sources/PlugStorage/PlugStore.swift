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
/// - **Encrypted.** Tokens, grants, set-ups, states, dead letters, outbox bytes and server notes are unreadable without the host's key. A
///   stored value that was changed, cut or moved to another row is refused with `state-damaged`.
///
/// A server note (`ServerNoteKeeping`) is erased with a connection only if it is named after it. Its name is unreadable
/// without the host's key, because it may be the address of a person's PDA. Each write removes the notes that have expired;
/// a note that has expired when it is written removes its namesake. A damaged note counts as none.
///
/// A consent (`ConsentStore`) belongs to a browser, and to a connection where there is one already, with which it is erased.
///
/// Grants (`GrantKeeping`) are erased with their connection. Each has a right to renew it, apart from the lease: a run and
/// a command that asks whose account it is may meet.
///
/// Who may use the host (`AccessStore`) hangs on no connection, and so do sums (`SummaryStore`).
///
/// Errors are `PlugError`: `state-read-only` for a write through a reader, `store-failed` (exit 75) where the disk or SQLite
/// fails, `state-damaged` (exit 78) where stored bytes do not hold what was written.
///
/// Code that needs only a part of it takes one of the roles.
package protocol PlugStore: ConnectionStore, PassStore, DeadLetterStore, OutboxStore, TokenStore, RunStore, SetupStore,
    RenewalStore, ConsentStore, AccessStore, SummaryStore, GrantKeeping, ServerNoteKeeping
{}
