internal import GRDB
package import PlugCore

/// The errors that stores throw, worded in one place.
package enum StoreErrors {
    static func connectionElsewhere(_ known: Connection, plug: String, pda: String) -> PlugError {
        let message =
            known.pda == pda
            ? "connection '\(known.id)' belongs to plug '\(known.plug)', not to '\(plug)'"
            : "connection '\(known.id)' belongs to the PDA \(known.pda), not to \(pda)"
        return PlugError(
            .connectionElsewhere,
            message,
            advice: "name another connection with --connection NAME"
        )
    }

    static func stateShared(_ stream: String, of connection: ConnectionID) -> PlugError {
        PlugError(
            .streamStateShared,
            "the streams of connection '\(connection)' share one state, so '\(DisplayText.escaped(stream))' cannot be "
                + "rewound by itself",
            advice: "leave out --stream: all are read again, and what the PDA has is not stored again"
        )
    }

    /// The error for a missing database whose folder shows that there was one.
    static func lost(_ folder: StateFolder) -> PlugError {
        PlugError(
            .stateLost,
            "there was a state in \(folder.path), but its database is missing or empty",
            advice:
                "restore plughost.db from a backup; to start again, move the folder away: what a PDA has is "
                + "recognised, but what waited in the outbox is lost"
        )
    }

    /// The error for a folder that was removed or replaced while a process used it.
    static func removed(_ folder: StateFolder) -> PlugError {
        PlugError(
            .stateLost,
            "the state folder \(folder.path) was removed or replaced while it was in use: what this process wrote is lost",
            advice:
                "restore the folder from a backup; without a backup everything is read again, and "
                + "what a PDA has is recognised"
        )
    }

    package static func leased(_ id: ConnectionID) -> PlugError { leased(id, by: nil) }

    static func leased(_ id: ConnectionID, by holder: LockHolder?) -> PlugError {
        PlugError(
            .stateLocked,
            "connection '\(id)' is in use by \(holder?.description ?? "another process")",
            advice: "wait for it with --wait 60s; other connections in the state folder are not affected"
        )
    }

    static func served() -> PlugError {
        PlugError(
            .stateServed,
            "another 'plughost serve' runs the connections of this state folder",
            advice: "stop it first, or use another folder with --state DIR"
        )
    }

    package static func connectionUnknown(_ id: ConnectionID) -> PlugError {
        PlugError(
            .connectionUnknown,
            "there is no connection '\(id)' here",
            advice: "check the name and --state DIR"
        )
    }

    package static func stale(_ commit: StreamCommit, current: Int64) -> PlugError {
        PlugError(
            .commitStale,
            "pass \(commit.pass) was to be written, but the stream is in pass \(current); nothing of it was stored",
            advice: "run it again",
            stream: commit.stream.stream
        )
    }

    static func ledgerMalformed(_ stream: StreamID, bytes: Int) -> PlugError {
        PlugError(.ledgerMalformed, "\(bytes) bytes are not whole fingerprints", stream: stream.stream)
    }

    package static func outboxGone(_ batch: Int64) -> PlugError {
        PlugError(.outboxGone, "batch \(batch) is not in its stream's outbox")
    }

    package static func runUnknown(_ id: Int64) -> PlugError {
        PlugError(
            .runUnknown,
            "there is no run \(id) here",
            advice: "check the number and --state DIR"
        )
    }

    /// The error when more people are being asked than a host waits for.
    package static func consentsFull() -> PlugError {
        PlugError(
            .consentsFull,
            "\(StoredConsent.limit) consents are still unanswered, which is the limit of a host",
            advice: "try again in ten minutes: unanswered ones expire"
        )
    }

    static func damaged(_ what: String, connection: String) -> PlugError {
        PlugError(
            .stateDamaged,
            "\(what) of connection '\(connection)' is damaged: it has changed since it was written",
            advice: "restore the state folder from a backup, or start again with another --state DIR"
        )
    }

    /// The error for a key of the state that cannot be found.
    static let rekeyed = PlugError(
        .keyWrong,
        "the state is now encrypted with another key",
        advice: "run it again; the key was changed meanwhile (plughost keys rotate)"
    )

    static let rekeying = PlugError(
        .stateLocked,
        "another process is changing the key of the state just now",
        advice: "wait for it with --wait 10m; one of both is enough"
    )

    static let readOnly = PlugError(.stateReadOnly, "the state was opened read-only")

    static let nothingToBackUp = PlugError(
        .stateEmpty,
        "there is nothing to back up: the state folder has no state yet",
        advice: "check --state DIR"
    )

    static let closed = PlugError(.stateClosed, "the state was used after it was closed")

    /// Translates an error of SQLite or GRDB for people. Our own errors and cancellation are passed through.
    static func translate(_ error: any Error) -> any Error {
        switch error {
        case is PlugError, is CancellationError: error
        case let error as DatabaseError: databaseError(error)
        default: PlugError(.storeFailed, exit: .bug, "the state database cannot be used: \(type(of: error))")
        }
    }

    /// The same, with the error's type stated; a cancellation becomes an interruption.
    package static func plugError(_ error: any Error) -> PlugError {
        switch translate(error) {
        case let error as PlugError: error
        case is CancellationError: .interrupted
        default: PlugError(.storeFailed, exit: .bug, "the state cannot be used: \(type(of: error))")
        }
    }

    /// Whether SQLite could not create or map the index of its log.
    static func isAboutTheIndex(_ error: DatabaseError) -> Bool {
        switch error.extendedResultCode {
        case .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP, .SQLITE_READONLY_CANTINIT,
            .SQLITE_READONLY_RECOVERY, .SQLITE_READONLY_DIRECTORY:
            true
        default: error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
        }
    }

    /// The number of files, the folder included, that a database has open with its two connections. All may be closed again by
    /// the time an error is worded.
    private static let filesOfDatabase = 8

    /// Uses only SQLite's own words, neither the statement nor its arguments.
    ///
    /// - Parameter canOpenMore: Whether the process may open the few files that a database needs: SQLite does not say so.
    static func databaseError(
        _ error: DatabaseError,
        canOpenMore: () -> Bool = { FileDescriptor.canOpen(filesOfDatabase) }
    ) -> PlugError {
        let words = "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))"
        if [.SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP].contains(error.extendedResultCode) {
            return PlugError(
                .storeFailed,
                exit: .tryLater,
                "the state cannot be opened because the disk has no room for the index of its log: \(words)",
                advice: "free some space (a few MB) and run it again; nothing is lost"
            )
        }
        switch error.resultCode {
        case .SQLITE_CANTOPEN where !canOpenMore():
            return PlugError(
                .storeFailed,
                exit: .tryLater,
                "the state database cannot be opened because the process may not open more files: \(words)",
                advice: "allow it to open more files (ulimit -n, or LimitNOFILE= of its unit), or lower "
                    + "--parallel; nothing is lost"
            )
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return PlugError(
                .stateDamaged,
                "plughost.db is damaged: \(words)",
                advice: "restore the state folder from a backup"
            )
        case .SQLITE_FULL:
            return PlugError(
                .storeFailed,
                exit: .tryLater,
                "the state cannot be written because the disk is full: \(words)",
                advice: "free some space and run it again; nothing is lost"
            )
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return PlugError(
                .storeFailed,
                exit: .configuration,
                "the state database cannot be opened or written: \(words)",
                advice:
                    "check the permissions of the state folder, and whether the disk is full or read-only; if it is, "
                    + "copy the folder to another disk and name it with --state DIR"
            )
        case .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM, .SQLITE_PROTOCOL:
            return PlugError(
                .storeFailed,
                exit: .tryLater,
                "the state database cannot be used: \(words)",
                advice: "check the state folder's disk and permissions, then run it again; nothing is lost"
            )
        case .SQLITE_MISUSE:
            return closed
        default:
            return PlugError(.storeFailed, exit: .bug, "the state database refused a statement: \(words)")
        }
    }
}

/// Properties of some errors that other modules act on.
extension PlugError {
    /// Whether an existing state was lost: then it is not true that nothing is lost.
    package var isLostState: Bool { code == .stateLost }
    /// Whether what was requested is held by another task or process.
    package var isLockedState: Bool { code == .stateLocked }
}
