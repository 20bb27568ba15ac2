internal import PlugCore

extension RunCodes {
    /// The folder that remembers, and its key.
    static let state: [CodeExplanation] = [
        CodeExplanation(
            "batch-unknown",
            exit: .failed,
            "The outbox holds no batch with this number: it may have been sent meanwhile.",
            "See 'plughost outbox list', and check --state DIR."
        ),
        CodeExplanation(
            "commit-stale",
            exit: .tryLater,
            "A page was to be remembered in a pass over the stream that has ended meanwhile. Nothing of it was kept.",
            "Run it again; what was delivered is recognised."
        ),
        CodeExplanation(
            "connection-elsewhere",
            exit: .configuration,
            "The state knows this connection with another plug or another PDA. Going on would mix two people's data.",
            "Name another connection with --connection NAME, or check --pda."
        ),
        CodeExplanation(
            "connection-unknown",
            exit: .failed,
            "The state holds no connection of this name.",
            "Check the name and --state DIR."
        ),
        CodeExplanation(
            "dead-letters-full",
            exit: .tryLater,
            "As many dead letters are kept as may be, and the stream stops before the page that brings more: neither is the "
                + "disk filled, nor a record lost.",
            "See 'plughost deadletters list' for what makes them, and mend the manifest or the source. Then retry or drop them. "
                + "Or raise --dead-letter-limit or --dead-letter-total."
        ),
        CodeExplanation(
            "descriptor-limit",
            exit: .configuration,
            "The process may open so few files and sockets that libraries which plughost needs would end it without a message.",
            "Raise the limit with ulimit -n, or LimitNOFILE= of the unit."
        ),
        CodeExplanation(
            "few-descriptors",
            "Every connection that runs needs a few open files and sockets, and the process may not open enough for all that "
                + "--parallel asks for. Fewer run at a time; nothing else changes.",
            "Raise the limit with ulimit -n, or LimitNOFILE= of the unit."
        ),
        CodeExplanation(
            "key-elsewhere",
            exit: .usage,
            "The host's key is kept outside of the state folder, by PLUGHOST_KEY_FILE or the service manager, and plughost "
                + "does not write there.",
            "Make another key (umask 077; openssl rand -hex 32 > FILE), run 'plughost keys rotate --new-key-file FILE', and "
                + "put the file into the old one's place before anything else runs."
        ),
        CodeExplanation(
            "key-exposed",
            exit: .configuration,
            "Others on this machine may read the file with the state's key.",
            "chmod 600 the file. Consider who may have read it: with the key and the folder they can read the state."
        ),
        CodeExplanation(
            "key-malformed",
            exit: .configuration,
            "The key file does not hold 32 bytes, be it as hex digits, as base64 or as they are.",
            "Put the right key back. A new one is made with: openssl rand -hex 32"
        ),
        CodeExplanation(
            "key-missing",
            exit: .configuration,
            "There is a state, and the key that it is sealed with is not where it should be.",
            "Put the key back, or name it with PLUGHOST_KEY_FILE. Without the key nothing of the state can be read: "
                + "begin anew with another --state DIR."
        ),
        CodeExplanation(
            "key-unreadable",
            exit: .configuration,
            "The key file exists and cannot be read, or it is not a regular file.",
            "Check its owner and its permissions."
        ),
        CodeExplanation(
            "key-wrong",
            exit: .configuration,
            "The key is not the one that this state is sealed with. Nothing was changed.",
            "Put the right key there, or name it with PLUGHOST_KEY_FILE. State and key belong together in a backup."
        ),
        CodeExplanation(
            "ledger-malformed",
            exit: .bug,
            "What is known of delivered records was to be written in a wrong form. Nothing was written.",
            "Report it, with the command and the version."
        ),
        CodeExplanation(
            "limit-unknown",
            exit: .failed,
            "Nothing is remembered of a server under this name; its time may have come.",
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
            "The PDA does not take records, and as many wait here as may. Nothing more is read from the source, so that "
                + "neither memory nor disk fills up.",
            "Run again when the PDA is back: what waits is sent first. --outbox-limit and --outbox-total say how much may "
                + "wait."
        ),
        CodeExplanation(
            "outbox-gone",
            exit: .bug,
            "A waiting batch was to be settled that is not there, or not of that stream. Nothing was changed.",
            "Report it, with the command and the version."
        ),
        CodeExplanation(
            "run-unknown",
            exit: .failed,
            "The state holds no run of this number.",
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
            "The database is damaged, or a value in it is not as it was written: a disk or somebody changed it.",
            "Restore the state folder from a backup. Or begin anew with another --state DIR: everything is read "
                + "again, and what the PDA has is recognised."
        ),
        CodeExplanation(
            "state-exposed",
            exit: .configuration,
            "Others on this machine may write to the state folder, or it belongs to another user: they could exchange the "
                + "database or the key.",
            "chmod 700 the folder, and look at who may have changed it. Or name another one with --state DIR."
        ),
        CodeExplanation(
            "state-foreign",
            exit: .configuration,
            "The folder holds a plughost.db that plughost did not make.",
            "Use another folder with --state DIR."
        ),
        CodeExplanation(
            "state-locked",
            exit: .tryLater,
            "Another plughost runs or changes the same connection, or has the whole state folder for itself; the error names "
                + "its process. Runs of different connections do not wait for each other.",
            "Wait for it with --wait 60s. A process that has ended holds no lock."
        ),
        CodeExplanation(
            "state-lost",
            exit: .configuration,
            "There was a state in the folder, as its key or its lock file shows, and its database is gone or empty; or the "
                + "folder was removed while plughost used it. Going on in silence would hide that an outbox may be lost.",
            "Restore the folder from a backup. Or begin anew: move it away, and everything is read again; what the PDA has is "
                + "recognised."
        ),
        CodeExplanation(
            "state-missing",
            exit: .configuration,
            "The folder that --state names holds no state, so there is nothing to show.",
            "Name the folder that 'plughost run --state DIR' wrote to."
        ),
        CodeExplanation(
            "state-newer",
            exit: .configuration,
            "A newer version of plughost wrote the state, in a form that this one does not know.",
            "Use that version, or another folder with --state DIR."
        ),
        CodeExplanation(
            "state-nowhere",
            exit: .configuration,
            "Neither XDG_STATE_HOME nor HOME is set to an absolute path, so there is no usual place for the state.",
            "Name a folder with --state DIR."
        ),
        CodeExplanation(
            "state-older",
            exit: .configuration,
            "An older version of plughost wrote the state, and a command that only reads does not change it.",
            "Run a command that writes, such as run: it brings the state up to date."
        ),
        CodeExplanation(
            "state-read-only",
            exit: .bug,
            "Something was to be written to a state that was opened to be read.",
            "Report it, with the command and the version."
        ),
        CodeExplanation(
            "store-failed",
            "The state cannot be made, opened or written: the disk is full, permissions are missing, the process may not open "
                + "more files, or the folder is on a file system that SQLite cannot use. The error says which.",
            "Make room or choose a folder on a local disk with --state DIR, then run it again; nothing is lost."
        ),
        CodeExplanation(
            "stream-unknown",
            exit: .failed,
            "The state keeps nothing of a stream with this name.",
            "See 'plughost connection show NAME'."
        ),
    ]
}
