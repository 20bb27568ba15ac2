extension PlugError.Code {
    /// For a dead letter: the PDA refused the record when it was sent alone.
    public static let refused = Self(
        "refused",
        "The PDA refused this record on its own: twice in a run in which it stored others, or in three runs. The "
            + "reason is the PDA's.",
        "If the reason concerns the record's shape, correct it in 'map'. If the record is "
            + "too large, make it smaller."
    )

    /// Two different records share an `_id`.
    public static let idConflict = Self(
        "id-conflict",
        exit: .failed,
        "Records of one page have the same '_id' but different contents, or so many of one pass that they cannot be things that were "
            + "edited meanwhile. All were delivered, but to readers they are states of one thing: 'key' is not unique.",
        "Choose a 'key' that no two records share. If the stream has a parent, include the parent's key."
    )

    /// A signal or the caller ended the run.
    public static let interrupted = Self(
        "interrupted",
        exit: .interrupted,
        "Ctrl-C or SIGTERM stopped the command cleanly.",
        "Run it again: it continues where it stopped, and nothing is lost."
    )

    /// The system gave no memory for what was read.
    public static let memoryShort = Self(
        "memory-short",
        exit: .tryLater,
        "The system gave no memory for something that was being read. Nothing is wrong with what was read, and nothing of it is left "
            + "out: the run ended.",
        "Run it again when the machine has memory, or give the process more (MemoryMax= of the unit, 'ulimit -v' and '-d'). Smaller "
            + "'http.max_body', 'limits.memory' and 'limits.parallel' take less."
    )

    /// An error that plughost does not recognise.
    public static let unexpected = Self(
        "unexpected",
        exit: .bug,
        "The run ended with an error that plughost does not know.",
        "Report it, with the command and the version. Running it again loses nothing."
    )
}
