internal import PlugCore

extension RunCodes {
    /// What is wrong with single records: they become dead letters, are kept, and the others are delivered.
    static let records: [CodeExplanation] = [
        CodeExplanation(
            "cast-failed",
            "A member that 'fields' casts holds a value that is not of the type, such as a text that is not a time.",
            "Correct 'map' or 'fields' in the manifest. Where a value may be anything, leave its cast out."
        ),
        CodeExplanation(
            "drop_if-failed",
            "The program 'drop_if' ended with an error on this record.",
            "Try it on the record with: plughost jq. Let it expect members that are missing or of another type."
        ),
        CodeExplanation(
            "identity-taken",
            "The record has a member '_id', where plughost writes its own.",
            "Leave it out or rename it in 'map', such as: del(._id)"
        ),
        CodeExplanation(
            "key-failed",
            "A program of 'key' ended with an error on this record.",
            "Try it on the record with: plughost jq."
        ),
        CodeExplanation(
            "key-not-one",
            "A program of 'key' gives several values, where one names the record.",
            "Write one program for each part: key: [.a, .b]"
        ),
        CodeExplanation(
            "key-not-scalar",
            "A program of 'key' gives a list or an object, where a text, a number or a boolean is needed.",
            "Name a member inside it, such as .track.id"
        ),
        CodeExplanation(
            "key-null",
            "A part of 'key' is null or missing in this record, so that nothing would tell it from others.",
            "Take members that every record has, or drop such records with 'drop_if'."
        ),
        CodeExplanation(
            "map-failed",
            "The program 'map' ended with an error on this record.",
            "Try it on the record with: plughost jq. Let it expect members that are missing or of another type."
        ),
        CodeExplanation(
            "map-not-object",
            "The program 'map' gives something other than an object. A record in a PDA is an object.",
            "Put the value into one: map: '{value: .}'"
        ),
        CodeExplanation(
            "map-not-one",
            "The program 'map' gives several values for one record.",
            "Split records in 'records' and not in 'map'."
        ),
        CodeExplanation(
            "refused",
            "The PDA refused this record alone: twice in a run in which it stored others, or in three runs. The "
                + "reason is the PDA's own.",
            "Correct the record's shape in 'map' where the reason says so. A record that is too large has to be made "
                + "smaller."
        ),
        CodeExplanation(
            "version-failed",
            "The program 'version' ended with an error on this record.",
            "Try it on the record with: plughost jq."
        ),
        CodeExplanation(
            "version-not-one",
            "The program 'version' gives several values, where one is needed.",
            "Name one member, such as .updated_at"
        ),
        CodeExplanation(
            "version-not-scalar",
            "The program 'version' gives a list or an object, where a text, a number or a boolean is needed.",
            "Name a member inside it, such as .meta.updated_at"
        ),
        CodeExplanation(
            "run-time-limit",
            exit: .tryLater,
            "The run took as long as --time-limit allows (a day unless it says otherwise). What was delivered is remembered.",
            "Nothing is lost: the next run goes on where this one stopped."
        ),
        CodeExplanation(
            "id-conflict",
            exit: .failed,
            "Records of one pass have the same '_id' and different contents. The first was delivered, the others were left out: "
                + "'key' is not unique, or the source changed between two looks.",
            "Let 'key' name what no two records share, with the parent's key where the stream has one."
        ),
        CodeExplanation(
            "records-do-not-fit",
            exit: .data,
            "More than half of the records of a page failed in 'key', 'drop_if', 'map' or 'fields'. Then the manifest "
                + "is wrong and not the records: nothing of the page was delivered or given up.",
            "Correct the stream in the manifest and run it again; it goes on with this page."
        ),
        CodeExplanation(
            "page-too-slow",
            exit: .data,
            "The programs of a stream may work for a minute of the processor's time on all records of a page together, and for ten "
                + "seconds on each. Nothing of the page was delivered or given up.",
            "Let 'map', 'key', 'version' and 'drop_if' do less work, or ask for smaller pages; the next run goes on with this page."
        ),
    ]
}
