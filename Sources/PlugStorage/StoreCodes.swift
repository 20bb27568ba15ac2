package import PlugCore

/// The error codes of the state and its key, as listed by `plughost explain`.
package enum StoreCodes {
    /// All storage codes.
    package static let all: [PlugError.Code] = own + KeyCodes.all + FolderCodes.all

    private static let own: [PlugError.Code] = [
        .backupExists, .backupUnreadable, .stateEmpty, .stateThere, .commitStale, .streamStateShared,
        .consentsFull, .connectionElsewhere, .connectionUnknown, .keyWrong, .ledgerMalformed, .outboxGone,
        .runUnknown, .stateClosed, .stateDamaged, .stateForeign, .stateLost, .stateNewer, .stateOlder,
        .stateReadOnly, .open(.storeFailed),
    ]
}

extension PlugError.Code {
    static let backupExists = Self(
        "backup-exists",
        exit: .configuration,
        "A file with this name already exists, and a backup never replaces a file.",
        "Name another file, or remove that one."
    )

    static let backupUnreadable = Self(
        "backup-unreadable",
        exit: .configuration,
        "The file is not a backup, was not copied completely, or is damaged. Nothing was restored.",
        "Name a file that 'plughost backup' wrote; if it was copied, compare the sizes."
    )

    static let stateEmpty = Self(
        "state-empty",
        exit: .configuration,
        "The state folder has no state yet, so there is nothing to back up.",
        "Check --state DIR."
    )

    static let stateThere = Self(
        "state-there",
        exit: .configuration,
        "The folder already has a state. A backup never replaces a state, because its data would be lost.",
        "Name an empty folder with --state DIR, or move the old state away first."
    )

    static let commitStale = Self(
        "commit-stale",
        exit: .tryLater,
        "A page could not be recorded, because its pass over the stream has ended meanwhile. "
            + "Nothing of the page was kept.",
        "Run it again; records that were delivered are recognised."
    )

    static let streamStateShared = Self(
        "stream-state-shared",
        exit: .usage,
        "The streams of a connection are read by one program with one state, so no stream can be read again by itself. "
            + "Nothing was forgotten.",
        "Leave out --stream: all streams are read again, and what the PDA has is not stored again."
    )

    static let consentsFull = Self(
        "consents-full",
        exit: .tryLater,
        "Too many people have begun to connect and have not finished, so the host accepts no more for now.",
        "Try again in ten minutes: an unanswered consent expires by itself."
    )

    static let connectionElsewhere = Self(
        "connection-elsewhere",
        exit: .configuration,
        "The state has this connection with another plug or another PDA. Continuing would mix two people's data.",
        "Name another connection with --connection NAME, or check --pda."
    )

    package static let connectionUnknown = Self(
        "connection-unknown",
        exit: .failed,
        "The state has no connection with this name.",
        "Check the name and --state DIR."
    )

    static let keyWrong = Self(
        "key-wrong",
        exit: .configuration,
        "The key is not the one that this state is encrypted with. Nothing was changed.",
        "Restore the right key, or name it with PLUGHOST_KEY_FILE. Always back up the state and the key together."
    )

    static let ledgerMalformed = Self(
        "ledger-malformed",
        exit: .bug,
        "An entry of the ledger had the wrong form. Nothing was written.",
        "Report it, with the command and the version."
    )

    static let outboxGone = Self(
        "outbox-gone",
        exit: .bug,
        "A batch was to be removed from the outbox, but it is not there, or it is of another "
            + "stream. Nothing was changed.",
        "Report it, with the command and the version."
    )

    package static let runUnknown = Self(
        "run-unknown",
        exit: .failed,
        "The state holds no run with this number.",
        "Check the number and --state DIR."
    )

    static let stateClosed = Self(
        "state-closed",
        exit: .bug,
        "The state was used after it had been closed.",
        "Report it, with the command and the version."
    )

    static let stateDamaged = Self(
        "state-damaged",
        exit: .configuration,
        "The database is damaged, or a value in it was changed, by a disk error or by somebody.",
        "Restore the state folder from a backup. Or start again with another --state DIR: everything is read "
            + "again, and what the PDA has is recognised."
    )

    static let stateForeign = Self(
        "state-foreign",
        exit: .configuration,
        "The folder holds a plughost.db that plughost did not create.",
        "Use another folder with --state DIR."
    )

    static let stateLost = Self(
        "state-lost",
        exit: .configuration,
        "The folder has held a state, as its key or its lock file shows, but the database is missing or empty; or "
            + "the folder was removed while plughost used it. plughost stops, because records "
            + "in an outbox may be lost.",
        "Restore the folder from a backup. Or start again: move the folder away, and everything is read again; "
            + "what the PDA has is recognised."
    )

    static let stateNewer = Self(
        "state-newer",
        exit: .configuration,
        "A newer version of plughost wrote the state, in a format that this version cannot read.",
        "Use that version, or another folder with --state DIR."
    )

    static let stateOlder = Self(
        "state-older",
        exit: .configuration,
        "An older version of plughost wrote the state, and a command that only reads does not upgrade it.",
        "Run a command that writes, such as run: it upgrades the state."
    )

    static let stateReadOnly = Self(
        "state-read-only",
        exit: .bug,
        "Something was to be written to a state that was opened read-only.",
        "Report it, with the command and the version."
    )
}

extension PlugError.Code.Open {
    package static let storeFailed = Self(
        "store-failed",
        "The state cannot be created, opened or written: the disk is full, permissions are missing, the process "
            + "may not open more files, or the folder is on a file system that SQLite cannot "
            + "use. The error says which.",
        "Free some space, or choose a folder on a local disk with --state DIR. Then run it again; nothing is lost."
    )
}
