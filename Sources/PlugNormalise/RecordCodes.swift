package import PlugCore

/// The codes of single records and of their pages, as `plughost explain` lists them.
package enum RecordCodes {
    /// Of dead letters.
    package static let letters: [PlugError.Code] = [
        .castFailed, .deletionFailed, .dropIfFailed, .identityTaken, .keyFailed, .keyNotOne, .keyNotScalar, .keyNull,
        .mapFailed,
        .mapNotObject, .mapNotOne, .rawTaken, .recordBroken, .refused, .versionFailed, .versionNotOne,
        .versionNotScalar,
    ]

    /// Of whole pages.
    package static let pages: [PlugError.Code] = [
        .recordsDoNotFit, .pageTooSlow, .equalLimit,
    ]

    /// Of a fixture's records as a whole: members that they lack or should not have, and records that are all left out.
    package static let fixtures: [PlugError.Code] = [
        .versionUnmet, .castUnmet, .castUnit, .allDropped, .unknownMembers,
    ]

    /// The code of a record that was not normalised. A dead letter has only its text, as it is stored.
    package static func code(of letter: DeadLetter) -> PlugError.Code {
        letters.first { $0.text == letter.code } ?? .unexpected
    }
}

extension PlugError.Code {
    static let castFailed = Self(
        "cast-failed",
        "A member that 'fields' casts holds a value that cannot be cast, such as a text that is not a time. The message shows only "
            + "its form, with a 9 for a digit and an A or an a for a letter, so that it reveals no personal data.",
        example: "'at' is a string that is not a time (of the form \"9999999999\")",
        "Correct 'map' or 'fields' in the manifest: '{time: {format: epoch}}' reads seconds since 1970 in a text, '{time: {format: "
            + "\"%d.%m.%Y\"}}' reads dates such as 31.12.2026. If any value is allowed, remove the cast."
    )

    static let deletionFailed = Self(
        "deletes-failed",
        "The program 'deletes.field' failed on this record.",
        "Try it on the record with 'plughost jq'. Make it handle members that are missing or of another type."
    )

    static let dropIfFailed = Self(
        "drop_if-failed",
        "The program 'drop_if' failed on this record.",
        "Try it on the record with 'plughost jq'. Make it handle members that are missing or of another type."
    )

    static let equalLimit = Self(
        "equal-limit",
        exit: .data,
        "An answer has more different keys than 'equal: count' can tell apart: a million. Later records could get a wrong number.",
        "Ask for smaller answers, or choose a 'key' that no two records share."
    )

    static let identityTaken = Self(
        "identity-taken",
        "The record has a member '_id', which plughost sets itself.",
        "Remove or rename it in 'map', for example with: del(._id)"
    )

    static let keyFailed = Self(
        "key-failed",
        "A program of 'key' failed on this record.",
        "Try it on the record with 'plughost jq'."
    )

    static let keyNotOne = Self(
        "key-not-one",
        "A program of 'key' gives several values instead of one.",
        "Write one program for each part: key: [.a, .b]"
    )

    static let keyNotScalar = Self(
        "key-not-scalar",
        "A program of 'key' gives a list or an object instead of a text, a number or a boolean.",
        "Name a member inside it, such as .track.id"
    )

    static let keyNull = Self(
        "key-null",
        "A part of 'key' is null or missing in this record, or all of them are empty texts, so nothing tells it apart from others.",
        "Use members that every record has, or drop such records with 'drop_if'."
    )

    static let mapFailed = Self(
        "map-failed",
        "The program 'map' failed on this record.",
        "Try it on the record with 'plughost jq'. Make it handle members that are missing or of another type."
    )

    static let mapNotObject = Self(
        "map-not-object",
        "The program 'map' gives something other than an object. Every record in a PDA is an object.",
        "Wrap the value: map: '{value: .}'"
    )

    static let mapNotOne = Self(
        "map-not-one",
        "The program 'map' gives several values for one record.",
        "Split records in 'records', not in 'map'."
    )

    static let versionFailed = Self(
        "version-failed",
        "The program 'version' failed on this record.",
        "Try it on the record with 'plughost jq'."
    )

    static let versionNotOne = Self(
        "version-not-one",
        "The program 'version' gives several values instead of one.",
        "Name one member, such as .updated_at"
    )

    static let versionNotScalar = Self(
        "version-not-scalar",
        "The program 'version' gives a list or an object instead of a text, a number or a boolean.",
        "Name a member inside it, such as .meta.updated_at"
    )

    static let rawTaken = Self(
        "raw-taken",
        "The mapped record has a member 'raw', and the manifest's 'raw' puts the source's record there.",
        "Rename the member in 'map', or remove 'raw' from the stream."
    )

    static let unknownMembers = Self(
        "unknown-members",
        exit: .failed,
        "Records have members that 'fields' does not name, and the stream has 'unknown: report'. They were delivered. A run warns "
            + "about each name once and continues; it reports at most 50 names.",
        "Name them in 'fields', or leave them out with 'unknown: drop'."
    )

    static let recordBroken = Self(
        "record-broken",
        "The source sent a record that cannot be read: a line that is not JSON, a row with too many or too few cells. All "
            + "others were read.",
        "Look at the record with 'plughost deadletters show'. If all rows of a file are like it, correct 'decode' in the manifest."
    )

    static let recordsDoNotFit = Self(
        "records-do-not-fit",
        exit: .data,
        "More than half of the records of a page failed in 'key', 'drop_if', 'map' or 'fields'. This means that "
            + "the manifest is wrong and not the records: none of them was delivered or became a dead letter.",
        "Correct the stream in the manifest and run it again; it continues with this page. If it is an entry of an archive, the "
            + "other entries are delivered; leave it out of 'entries' if it has other records than the stream."
    )

    static let pageTooSlow = Self(
        "page-too-slow",
        exit: .data,
        "The programs of a stream needed more processor time than they may use: one minute for all records of a "
            + "page together, and ten seconds for each record. None of the page's records was delivered "
            + "or became a dead letter.",
        "Make 'map', 'key', 'version' and 'drop_if' do less work, or ask for smaller pages; the next run "
            + "continues with this page."
    )

    static let versionUnmet = Self(
        "version-unmet",
        exit: .failed,
        "The member that 'version' names is missing from all records of a stream's fixtures, or from all records "
            + "of a run that has many. A record that changes would keep its '_id', and the change "
            + "would never be delivered.",
        "Name a member that changes with the record. Or leave 'version' out: contents are then compared."
    )

    static let castUnmet = Self(
        "cast-unmet",
        exit: .failed,
        "A member that 'fields' casts is missing from all records that 'map' gives: from a stream's fixtures, or "
            + "from all records of a run that has many, which then only warns.",
        "Use the name that 'map' gives; check the spelling, or add a fixture that has the member."
    )

    static let castUnit = Self(
        "cast-unit",
        exit: .failed,
        "A cast of 'fields' reads all numbers of a member as times in January 1970: seconds that are taken for milliseconds, or "
            + "milliseconds for microseconds. A run warns about this and continues.",
        example: "fields: {at: {time: epoch_ms}} for 1764400000",
        "Write the unit that the source uses: 'epoch', 'epoch_ms' or 'epoch_us'."
    )

    static let allDropped = Self(
        "all-dropped",
        exit: .failed,
        "'drop_if' or 'map' left out every record of a run that had many, so the run delivered nothing new. A misspelt member is "
            + "null in jq, not an error. A run warns about this and continues.",
        "Check the program against a record of the source. If dropping all of them is right, nothing is wrong."
    )
}
