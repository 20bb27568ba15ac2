internal import PlugCore

extension RunCodes {
    /// What is wrong with single records: they become dead letters, are kept, and the others are delivered.
    static let records: [CodeExplanation] = [
        CodeExplanation(
            "cast-failed",
            "A member that 'fields' casts holds a value that cannot be cast, such as a text that is not a time.",
            "Correct 'map' or 'fields' in the manifest. If any value is allowed, remove the cast."
        ),
        CodeExplanation(
            "drop_if-failed",
            "The program 'drop_if' failed on this record.",
            "Try it on the record with 'plughost jq'. Make it handle members that are missing or of another type."
        ),
        CodeExplanation(
            "identity-taken",
            "The record has a member '_id', which plughost sets itself.",
            "Remove or rename it in 'map', for example with: del(._id)"
        ),
        CodeExplanation(
            "key-failed",
            "A program of 'key' failed on this record.",
            "Try it on the record with 'plughost jq'."
        ),
        CodeExplanation(
            "key-not-one",
            "A program of 'key' gives several values instead of one.",
            "Write one program for each part: key: [.a, .b]"
        ),
        CodeExplanation(
            "key-not-scalar",
            "A program of 'key' gives a list or an object instead of a text, a number or a boolean.",
            "Name a member inside it, such as .track.id"
        ),
        CodeExplanation(
            "key-null",
            "A part of 'key' is null or missing in this record, so nothing tells it apart from others.",
            "Use members that every record has, or drop such records with 'drop_if'."
        ),
        CodeExplanation(
            "map-failed",
            "The program 'map' failed on this record.",
            "Try it on the record with 'plughost jq'. Make it handle members that are missing or of another type."
        ),
        CodeExplanation(
            "map-not-object",
            "The program 'map' gives something other than an object. Every record in a PDA is an object.",
            "Wrap the value: map: '{value: .}'"
        ),
        CodeExplanation(
            "map-not-one",
            "The program 'map' gives several values for one record.",
            "Split records in 'records', not in 'map'."
        ),
        CodeExplanation(
            "refused",
            "The PDA refused this record on its own: twice in a run in which it stored others, or in three runs. The "
                + "reason is the PDA's.",
            "If the reason concerns the record's shape, correct it in 'map'. If the record is "
                + "too large, make it smaller."
        ),
        CodeExplanation(
            "version-failed",
            "The program 'version' failed on this record.",
            "Try it on the record with 'plughost jq'."
        ),
        CodeExplanation(
            "version-not-one",
            "The program 'version' gives several values instead of one.",
            "Name one member, such as .updated_at"
        ),
        CodeExplanation(
            "version-not-scalar",
            "The program 'version' gives a list or an object instead of a text, a number or a boolean.",
            "Name a member inside it, such as .meta.updated_at"
        ),
        CodeExplanation(
            "run-time-limit",
            exit: .tryLater,
            "The run reached its time limit (--time-limit, a day by default). What was delivered is remembered.",
            "Nothing is lost: the next run continues where this one stopped."
        ),
        CodeExplanation(
            "id-conflict",
            exit: .failed,
            "Records of one pass have the same '_id' but different contents. The first was delivered and the others "
                + "were left out: 'key' is not unique, or the source changed between two requests.",
            "Choose a 'key' that no two records share. If the stream has a parent, include the parent's key."
        ),
        CodeExplanation(
            "records-do-not-fit",
            exit: .data,
            "More than half of the records of a page failed in 'key', 'drop_if', 'map' or 'fields'. This means that "
                + "the manifest is wrong and not the records: none of them was delivered or became a dead letter.",
            "Correct the stream in the manifest and run it again; it continues with this page."
        ),
        CodeExplanation(
            "page-too-slow",
            exit: .data,
            "The programs of a stream needed more processor time than they may use: one minute for all records of a "
                + "page together, and ten seconds for each record. None of the page's records was delivered "
                + "or became a dead letter.",
            "Make 'map', 'key', 'version' and 'drop_if' do less work, or ask for smaller pages; the next run "
                + "continues with this page."
        ),
    ]
}
