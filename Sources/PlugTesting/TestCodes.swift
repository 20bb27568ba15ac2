package import PlugCore

/// What each code of testing a plug means: the table behind `plughost explain CODE`.
package enum TestCodes {
    /// The explanation of a code, `nil` for codes of other parts.
    package static func explanation(of code: String) -> CodeExplanation? { all.first { $0.code == code } }

    /// All of them.
    package static let all: [CodeExplanation] = fixtures + golden + others

    private static let fixtures: [CodeExplanation] = [
        CodeExplanation(
            "version-unmet",
            exit: .failed,
            "The member that 'version' names is missing from all records of a stream's fixtures, or from all records "
                + "of a run that has many. A record that changes would keep its '_id', and the change "
                + "would never be delivered.",
            "Name a member that changes with the record. Or leave 'version' out: contents are then compared."
        ),
        CodeExplanation(
            "cast-unmet",
            exit: .failed,
            "A member that 'fields' casts is missing from all records that 'map' gives: from a stream's fixtures, or "
                + "from all records of a run that has many, which then only warns.",
            "Use the name that 'map' gives; check the spelling, or add a fixture that has the member."
        ),
        CodeExplanation(
            "fixture-invalid",
            exit: .configuration,
            "A file in 'fixtures' is not JSON, or does not have the form that Plugs/README.md describes.",
            "Correct it at the place that the error names."
        ),
        CodeExplanation(
            "fixture-misfit",
            exit: .failed,
            "A record of a fixture cannot be mapped, cast or identified; in a run it would become a dead letter.",
            "Correct 'map', 'key' or 'fields', or drop such records with 'drop_if'."
        ),
        CodeExplanation(
            "fixture-mismatch",
            exit: .failed,
            "The plug sends a request that the fixture has no answer for, or sends it too often.",
            "Compare the request with the nearest one; correct the manifest, or add the exchange to the fixture."
        ),
        CodeExplanation(
            "fixture-unasked",
            exit: .failed,
            "The fixture holds an exchange that the plug never requests.",
            "Remove it, or find out why the plug stops before it: paging and 'since' are the usual reasons."
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
            "The records of a fixture differ from its golden file, which is compared byte by byte.",
            "Correct the manifest. If the new records are right, write them with: plughost test PATH --update"
        ),
        CodeExplanation(
            "golden-invalid",
            exit: .failed,
            "A line of a golden file is not JSON.",
            "Correct it, or write the file again with: plughost test PATH --update"
        ),
        CodeExplanation(
            "golden-missing",
            exit: .failed,
            "A fixture has no golden file.",
            "Write it with 'plughost test PATH --update', and check it before you keep it."
        ),
        CodeExplanation(
            "golden-orphan",
            exit: .failed,
            "A golden file has no fixture, so nothing is tested.",
            "Restore the fixture, or remove the golden file."
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
            "The record 'in' of a test in the manifest does not give its 'out'. Numbers are compared as written.",
            "Correct 'map' or 'fields', or the expected record."
        ),
        CodeExplanation(
            "no-tests",
            "A warning: the plug has neither 'tests:' in its manifest nor 'fixtures' beside it.",
            "Add a record to 'tests:' of each stream, and a recorded conversation to 'fixtures'."
        ),
        CodeExplanation(
            "replay-server",
            exit: .unreachable,
            "The system did not allow the socket that serves the recorded answers.",
            "Check the limits on open files and on sockets on 127.0.0.1."
        ),
    ]
}
