package import PlugCore

/// The error codes of runs and tokens, as listed by `plughost explain`.
package enum RunCodes {
    /// Errors that end a run because of its records.
    package static let records: [PlugError.Code] = [
        .runTimeLimit, .runYielded, .idConflict, .deletionsHeld, .memberGone, .memberNew, .columnNull, .keyShared,
        .sourceEmpty, .versionNone,
    ]

    /// Errors of runs and tokens.
    package static let runs: [PlugError.Code] = [
        .sinceUnused, .interrupted, .memoryShort, .tokenApplication, .tokenEmpty, .tokenExpired, .tokenIdle,
        .tokenMissing, .tokenIssuer, .tokenMalformed, .tokenNotKept, .unbalanced, .unexpected, .programsOff,
        .programStateKept,
    ]

    /// Errors for limits of the stored state.
    package static let state: [PlugError.Code] = [
        .deadLettersFull, .noStore, .outboxFull,
    ]
}

extension PlugError.Code {
    static let runTimeLimit = Self(
        "run-time-limit",
        exit: .tryLater,
        "The run reached its time limit (--time-limit, a day by default). What was delivered is remembered.",
        "Nothing is lost: the next run continues where this one stopped."
    )

    static let programsOff = Self(
        "programs-off",
        exit: .configuration,
        "The plug is read by a program ('exec'), and this command runs no programs.",
        "Use 'plughost run', 'plughost try' or 'plughost serve'."
    )

    static let programStateKept = Self(
        "program-state-kept",
        "A warning: a program has one state for all its streams, and this run has read only some of them, or has not delivered all "
            + "of them. So the state moves no further, and the next run reads the records since then again. Nothing is stored twice.",
        "After an error, correct what it says. Run the plug without --stream."
    )

    package static let runYielded = Self(
        "run-yielded",
        exit: .tryLater,
        "The host stopped a long run between two pages, because other connections were due and all places were taken. Nothing is "
            + "lost: the run continues where it stopped, after those that have waited longer.",
        "Do nothing. If it happens often, raise 'limits.parallel'."
    )

    static let deletionsHeld = Self(
        "deletions-held",
        exit: .failed,
        "With 'deletes: {missing: true}', a complete pass did not find records that the pass before it found: more than 'max' "
            + "allows, or some of its records could not be read. No deletion was delivered; everything else was. The next pass "
            + "compares again.",
        "Check whether the source gives its whole list. If the records are really deleted, run once with --accept-deletions."
    )

    static let memberGone = Self(
        "member-gone",
        exit: .failed,
        "A warning: the source's records no longer have a member that all records examined in at least three earlier passes had. "
            + "The service may have renamed or removed it. This is reported once.",
        "Check whether 'map', 'key', 'version' or 'since' read the member, and correct them. If nothing reads it, nothing is wrong."
    )

    static let columnNull = Self(
        "column-null",
        "A warning of a dry run and of 'plughost try': a member of the mapped records is null in all of them. A member that is misspelt in "
            + "'map' gives null, too.",
        "Compare 'map' with a record of the source. If the source has nothing there for this person, nothing is wrong."
    )

    static let keyShared = Self(
        "key-shared",
        "A warning of a dry run and of 'plughost try': records have the same 'key' and differ in 'version', so each is stored as "
            + "another version of the same thing. This is right if the source lists the versions of its things, and wrong if "
            + "several things share a 'key'.",
        "If they are different things, choose a 'key' that no two of them share, or add a part to it. If they are versions of one "
            + "thing, nothing is wrong."
    )

    static let sourceEmpty = Self(
        "source-empty",
        "A warning: a stream that is read as a whole gave no records in a complete pass, and the pass before gave some. The person may "
            + "have deleted everything, or the service may have moved it, or hide it from this log-in.",
        "If the person should have such records, look at the answer with 'plughost try'."
    )

    static let versionNone = Self(
        "version-none",
        "A warning: 'version: none' says that the records of a stream never change, but some came with other contents than before. Only "
            + "their first state is in the PDA.",
        "Write 'version: content', or a member that changes with the record, such as '.updated_at'. If only members change that nobody "
            + "needs, leave these out of 'map'."
    )

    static let memberNew = Self(
        "member-new",
        exit: .failed,
        "A warning: the source's records have a member that no record examined in at least three earlier passes had. The service "
            + "may have added or renamed it. This is reported once.",
        "Check whether 'map' should take it. If not, nothing is wrong."
    )

    static let sinceUnused = Self(
        "since-unused",
        exit: .usage,
        "--since was given, but no stream of the plug has 'since' in its manifest.",
        "Leave out --since: streams without 'since' are read completely every time."
    )

    static let tokenApplication = Self(
        "token-application",
        exit: .authorisation,
        "The token was not made for this plug: it belongs to another application or to none. An owner's token allows "
            + "much more than writing the plug's data. It was not sent. A 'run' with another application's token is only warned of: the "
            + "PDA that issued it decides what it may write.",
        "Set the plug up in the PDA, and use the application token that it gives. If the plug's application has another "
            + "name on purpose, accept the token with --accept-foreign-token, or 'accept_foreign_token' in the API: then "
            + "this is a warning."
    )

    package static let tokenEmpty = Self(
        "token-empty",
        exit: .authorisation,
        "The token file is empty, or holds only white space.",
        "Write the plug's application token into it."
    )

    static let tokenExpired = Self(
        "token-expired",
        exit: .authorisation,
        "The token has expired, and the state holds no newer one.",
        "Get a new application token for this plug, and write it into the token file."
    )

    static let tokenIdle = Self(
        "token-idle",
        exit: .authorisation,
        "The token was issued more than three days ago, and a PDA refuses such tokens. Each run keeps the newer "
            + "token that the PDA sends, so this happens when the plug has not run for three days.",
        "Write a new application token into the token file, and run the plug at least every other day."
    )

    static let tokenMissing = Self(
        "token-missing",
        exit: .authorisation,
        "No token file was named, and the PDA has not yet given this connection a token.",
        "Name the file that holds the plug's application token with --token-file FILE."
    )

    package static let tokenIssuer = Self(
        "token-issuer",
        exit: .authorisation,
        "The token was issued by another PDA than the one that it would go to, which could use it there. It was not sent.",
        "Check the PDA's address and the token. If the PDA is reached under another name than its own on purpose, accept "
            + "the token with --accept-foreign-token, or 'accept_foreign_token' in the API: then this is a warning."
    )

    static let tokenMalformed = Self(
        "token-malformed",
        exit: .authorisation,
        "The token file does not hold a JSON Web Token.",
        "Write the application token into it, and nothing else."
    )

    package static let tokenNotKept = Self(
        "token-not-kept",
        exit: .failed,
        "A warning: the PDA sent a newer token, but it could not be saved in the state. "
            + "This run continued with it.",
        "Check the disk of the state folder. Without newer tokens, the one in the file is valid for three days."
    )

    static let unbalanced = Self(
        "unbalanced",
        exit: .bug,
        "The number of records fetched differs from the sum of those delivered, known, refused and left. plughost "
            + "counts after each page and stops when the numbers differ.",
        "Report it, with the summary of the run. What was delivered is remembered."
    )

    static let deadLettersFull = Self(
        "dead-letters-full",
        exit: .tryLater,
        "The number or size of dead letters has reached its limit. The stream stops before the page that would add "
            + "more: the disk does not fill up, and no record is lost.",
        "'plughost deadletters list' shows the causes. Correct the manifest or the source, then retry or drop the "
            + "dead letters. Or raise their limits: \(RunLimitKey.deadLetters.setting); \(RunLimitKey.deadLetterTotal.setting)."
    )

    static let noStore = Self(
        "no-store",
        exit: .bug,
        "A run that delivers was started without a state.",
        "Report it, with the command and the version."
    )

    static let outboxFull = Self(
        "outbox-full",
        exit: .tryLater,
        "The PDA accepts no records, and the outbox has reached its limit. Nothing more is read from the source, "
            + "so that neither memory nor disk fills up.",
        "Run it again when the PDA is reachable: the outbox is sent first. Its limits are "
            + "\(RunLimitKey.outbox.setting); \(RunLimitKey.outboxTotal.setting)."
    )
}
