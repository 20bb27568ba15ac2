internal import PlugCore

extension RunCodes {
    /// The folder that remembers, and its key.
    static let state: [CodeExplanation] = [
        CodeExplanation(
            "batch-unknown",
            exit: .failed,
            "The outbox holds no batch with this number; it may have been sent meanwhile.",
            "See 'plughost outbox list', and check --state DIR."
        ),
        CodeExplanation(
            "commit-stale",
            exit: .tryLater,
            "A page could not be recorded, because its pass over the stream has ended meanwhile. "
                + "Nothing of the page was kept.",
            "Run it again; records that were delivered are recognised."
        ),
        CodeExplanation(
            "connection-elsewhere",
            exit: .configuration,
            "The state has this connection with another plug or another PDA. Continuing would mix two people's data.",
            "Name another connection with --connection NAME, or check --pda."
        ),
        CodeExplanation(
            "connection-unknown",
            exit: .failed,
            "The state has no connection with this name.",
            "Check the name and --state DIR."
        ),
        CodeExplanation(
            "dead-letters-full",
            exit: .tryLater,
            "The number or size of dead letters has reached its limit. The stream stops before the page that would add "
                + "more: the disk does not fill up, and no record is lost.",
            "'plughost deadletters list' shows the causes. Correct the manifest or the source, then retry or drop the "
                + "dead letters. Or raise --dead-letter-limit or --dead-letter-total."
        ),
        CodeExplanation(
            "descriptor-limit",
            exit: .configuration,
            "The process may open so few files and sockets that a library could end it without a message.",
            "Raise the limit with ulimit -n, or LimitNOFILE= of the unit."
        ),
        CodeExplanation(
            "few-descriptors",
            "Every running connection needs a few open files and sockets, and the process may not open enough for "
                + "--parallel. Fewer connections run at a time; nothing else changes.",
            "Raise the limit with ulimit -n, or with LimitNOFILE= in the unit."
        ),
        CodeExplanation(
            "key-elsewhere",
            exit: .usage,
            "The host key is kept outside the state folder, by PLUGHOST_KEY_FILE or the service manager, and plughost "
                + "does not write there.",
            "Make another key (umask 077; openssl rand -hex 32 > FILE) and run 'plughost keys rotate --new-key-file "
                + "FILE'. Then replace the old key file with it before anything else runs."
        ),
        CodeExplanation(
            "key-exposed",
            exit: .configuration,
            "Other users of this machine can read the file with the host key.",
            "Run chmod 600 on the file. Consider who may have read it: with the key and the folder "
                + "they can read the state."
        ),
        CodeExplanation(
            "key-malformed",
            exit: .configuration,
            "The key file does not hold 32 bytes, as hex digits, as base64 or as raw bytes.",
            "Restore the right key. To make a new one: openssl rand -hex 32"
        ),
        CodeExplanation(
            "key-missing",
            exit: .configuration,
            "There is a state, but the key that it is encrypted with is missing.",
            "Restore the key, or name it with PLUGHOST_KEY_FILE. Without the key nothing in the state can be read: "
                + "start again with another --state DIR."
        ),
        CodeExplanation(
            "key-unreadable",
            exit: .configuration,
            "The key file exists but cannot be read, or it is not a regular file.",
            "Check its owner and its permissions."
        ),
        CodeExplanation(
            "key-wrong",
            exit: .configuration,
            "The key is not the one that this state is encrypted with. Nothing was changed.",
            "Restore the right key, or name it with PLUGHOST_KEY_FILE. Always back up the state and the key together."
        ),
        CodeExplanation(
            "ledger-malformed",
            exit: .bug,
            "An entry of the ledger had the wrong form. Nothing was written.",
            "Report it, with the command and the version."
        ),
        CodeExplanation(
            "limit-unknown",
            exit: .failed,
            "No limit is remembered for a server with this name; it may have expired.",
            "See 'plughost limits list', and check --state DIR."
        ),
        CodeExplanation(
            "no-store",
            exit: .bug,
            "A run that delivers was started without a state.",
            "Report it, with the command and the version."
        ),
        CodeExplanation(
            "outbox-full",
            exit: .tryLater,
            "The PDA accepts no records, and the outbox has reached its limit. Nothing more is read from the source, "
                + "so that neither memory nor disk fills up.",
            "Run it again when the PDA is reachable: the outbox is sent first. --outbox-limit and "
                + "--outbox-total set the limits."
        ),
        CodeExplanation(
            "outbox-gone",
            exit: .bug,
            "A batch was to be removed from the outbox, but it is not there, or it is of another "
                + "stream. Nothing was changed.",
            "Report it, with the command and the version."
        ),
        CodeExplanation(
            "run-unknown",
            exit: .failed,
            "The state holds no run with this number.",
            "Check the number and --state DIR."
        ),
        CodeExplanation(
            "state-closed",
            exit: .bug,
            "The state was used after it had been closed.",
            "Report it, with the command and the version."
        ),
        CodeExplanation(
            "state-damaged",
            exit: .configuration,
            "The database is damaged, or a value in it was changed, by a disk error or by somebody.",
            "Restore the state folder from a backup. Or start again with another --state DIR: everything is read "
                + "again, and what the PDA has is recognised."
        ),
        CodeExplanation(
            "state-exposed",
            exit: .configuration,
            "Other users of this machine can write to the state folder, or it belongs to another user: they could "
                + "replace the database or the key.",
            "Run chmod 700 on the folder, and check who may have changed it. Or use another folder with --state DIR."
        ),
        CodeExplanation(
            "state-foreign",
            exit: .configuration,
            "The folder holds a plughost.db that plughost did not create.",
            "Use another folder with --state DIR."
        ),
        CodeExplanation(
            "state-locked",
            exit: .tryLater,
            "Another plughost process runs or changes the same connection, or has locked the whole state folder; the "
                + "error names the process. Runs of different connections do not wait for each other.",
            "Wait for it with --wait 60s. A lock ends with its process."
        ),
        CodeExplanation(
            "state-lost",
            exit: .configuration,
            "The folder has held a state, as its key or its lock file shows, but the database is missing or empty; or "
                + "the folder was removed while plughost used it. plughost stops, because records "
                + "in an outbox may be lost.",
            "Restore the folder from a backup. Or start again: move the folder away, and everything is read again; "
                + "what the PDA has is recognised."
        ),
        CodeExplanation(
            "state-missing",
            exit: .configuration,
            "The folder of --state holds no state, so there is nothing to show.",
            "Name the folder that 'plughost run --state DIR' wrote to."
        ),
        CodeExplanation(
            "state-newer",
            exit: .configuration,
            "A newer version of plughost wrote the state, in a format that this version cannot read.",
            "Use that version, or another folder with --state DIR."
        ),
        CodeExplanation(
            "state-nowhere",
            exit: .configuration,
            "Neither XDG_STATE_HOME nor HOME is an absolute path, so there is no default folder for the state.",
            "Name a folder with --state DIR."
        ),
        CodeExplanation(
            "state-older",
            exit: .configuration,
            "An older version of plughost wrote the state, and a command that only reads does not upgrade it.",
            "Run a command that writes, such as run: it upgrades the state."
        ),
        CodeExplanation(
            "state-read-only",
            exit: .bug,
            "Something was to be written to a state that was opened read-only.",
            "Report it, with the command and the version."
        ),
        CodeExplanation(
            "store-failed",
            "The state cannot be created, opened or written: the disk is full, permissions are missing, the process "
                + "may not open more files, or the folder is on a file system that SQLite cannot "
                + "use. The error says which.",
            "Free some space, or choose a folder on a local disk with --state DIR. Then run it again; nothing is lost."
        ),
        CodeExplanation(
            "stream-unknown",
            exit: .failed,
            "The state has no stream with this name.",
            "See 'plughost connection show NAME'."
        ),
    ]
}
