public import PlugCore

/// What each code of testing a plug means: the table behind `plughost explain CODE`.
public enum TestCodes {
    /// The explanation of a code, `nil` for codes of other parts.
    public static func explanation(of code: String) -> CodeExplanation? { all.first { $0.code == code } }

    /// All of them.
    public static let all: [CodeExplanation] = fixtures + golden + others

    private static let fixtures: [CodeExplanation] = [
        CodeExplanation(
            "version-unmet",
            exit: .failed,
            "The member that 'version' names is in no record of a stream's fixtures, or in none of many of a run. A record that "
                + "changes would keep its '_id', and its change would never be delivered.",
            "Name the member that changes with the record, or leave 'version' out: then contents are compared."
        ),
        CodeExplanation(
            "cast-unmet",
            exit: .failed,
            "A member that 'fields' casts is in none of the records that 'map' gives: in none of a stream's fixtures, or in none "
                + "of many records of a run, which then only warns.",
            "Name it as 'map' does; check the spelling, or add a fixture that has it."
        ),
        CodeExplanation(
            "fixture-invalid",
            exit: .configuration,
            "A file in 'fixtures' is not JSON, or not of the form that Plugs/README.md describes.",
            "Correct it at the place that is named."
        ),
        CodeExplanation(
            "fixture-misfit",
            exit: .failed,
            "A record of a fixture cannot be mapped, cast or identified; in a run it would become a dead letter.",
            "Correct 'map', 'key' or 'fields', or leave such records out with 'drop_if'."
        ),
        CodeExplanation(
            "fixture-mismatch",
            exit: .failed,
            "The plug asks for something that the fixture has no answer for, or not so often.",
            "Compare the request with the nearest one; correct the manifest, or add the exchange to the fixture."
        ),
        CodeExplanation(
            "fixture-unasked",
            exit: .failed,
            "The fixture holds an exchange that the plug never asks for.",
            "Take it out, or see why the plug stops before it: paging and 'since' are the usual reasons."
        ),
        CodeExplanation(
            "fixture-unreadable",
            exit: .configuration,
            "A file in 'fixtures' cannot be read, or is larger than 32 MiB.",
            "Check its permissions and its size."
        ),
    ]

    private static let golden: [CodeExplanation] = [
        CodeExplanation(
            "golden-differs",
            exit: .failed,
            "The records of a fixture are not those of its golden file, byte by byte.",
            "Correct the manifest; where the new records are right, write them with: plughost test PATH --update."
        ),
        CodeExplanation(
            "golden-invalid",
            exit: .failed,
            "A line of a golden file is not JSON.",
            "Correct it, or write the file anew with: plughost test PATH --update."
        ),
        CodeExplanation(
            "golden-missing",
            exit: .failed,
            "A fixture has no golden file beside it.",
            "Write it with: plughost test PATH --update, and read it before you keep it."
        ),
        CodeExplanation(
            "golden-orphan",
            exit: .failed,
            "A golden file has no fixture beside it, so that nothing is tested.",
            "Bring the fixture back, or remove the golden file."
        ),
        CodeExplanation(
            "golden-unwritable",
            "A golden file cannot be written.",
            "Check the folder's permissions."
        ),
    ]

    private static let others: [CodeExplanation] = [
        CodeExplanation(
            "inline-differs",
            exit: .failed,
            "What comes of the record 'in' of a test in the manifest is not its 'out'. Numbers count as they are written.",
            "Correct 'map' or 'fields', or what the test expects."
        ),
        CodeExplanation(
            "no-tests",
            "A warning: the plug has no 'tests:' in its manifest and no 'fixtures' beside it.",
            "Add a record to 'tests:' of each stream, and a stored conversation to 'fixtures'."
        ),
        CodeExplanation(
            "replay-server",
            exit: .unreachable,
            "The system refuses the socket from which stored answers would be served.",
            "Check limits on open files and on sockets on 127.0.0.1."
        ),
    ]
}
