package import PlugCore

/// What plughost remembers between runs: connections, positions, proved records, dead letters, the outbox, tokens, runs.
///
/// Any number of processes may write to a store and read from it. Runs of one connection exclude each other, by its lease. Every
/// promise below is a test in `PlugStoreContract`, which any implementation has to pass.
///
/// - **Belongs to a connection.** Every row except server notes belongs to a connection created by `openConnection` or `openRun`.
///   A write for an unknown connection throws `connection-unknown`; a read answers as if nothing had been stored.
/// - **Durable on return.** When a writing call returns, its effect survives the end of the process and of the machine.
/// - **Cancellation.** A requested write is performed even if its task is cancelled: what a PDA has answered is never forgotten.
///   A read by a cancelled task may throw `CancellationError`.
/// - **All or nothing.** A writing call that throws has changed nothing, and does not affect other calls.
/// - **Encrypted.** Tokens, grants, set-ups, states, dead letters, outbox bytes and server notes are unreadable without the
///   host's key. A stored value that was changed, truncated or moved to another row is refused with `state-damaged`.
///
/// A server note (`ServerNoteKeeping`) is erased with a connection only if it is named after it. Its name is unreadable without
/// the host's key, because it may be the address of a person's PDA. Each write removes expired notes; a note that has already
/// expired when written removes its namesake. A damaged note counts as absent.
///
/// A consent (`ConsentStore`) belongs to a browser, and to a connection if there is one already, with which it is erased.
///
/// Grants (`GrantKeeping`) are erased with their connection. The right to renew a grant is separate from the lease: a run and a
/// command that asks whose account it is may coincide.
///
/// Access to the host (`AccessStore`) does not belong to a connection, nor do sums (`SummaryStore`).
///
/// Errors are `PlugError`: `state-read-only` for a write through a reader, `store-failed` (exit 75) if the disk or SQLite fails,
/// `state-damaged` (exit 78) if stored bytes are not what was written.
///
/// Code that needs only a part of it takes one of the roles.
package protocol PlugStore: ConnectionStore, PassStore, DeadLetterStore, OutboxStore, TokenStore, RunStore, SetupStore,
    RenewalStore, ConsentStore, AccessStore, SummaryStore, GrantKeeping, ServerNoteKeeping
{}
