package import PlugCore

/// The codes of test cases.
enum CaseCodes {
    static let all: [PlugError.Code] = [
        .conformanceFailed, .fixtureMisfit, .fixtureAccount, .fixtureFails, .goldenDiffers, .goldenInvalid,
        .goldenMissing, .goldenOrphan, .inlineDiffers, .memberUnmet, .streamUntested, .noTests,
    ]
}

extension PlugError.Code {
    static let conformanceFailed = Self(
        "conformance-failed",
        exit: .failed,
        "A stream misbehaved against a simulated service that is made from the manifest and the answers in fixtures.",
        "Read what was expected and what happened, and correct the manifest at the place that is named."
    )

    static let fixtureMisfit = Self(
        "fixture-misfit",
        exit: .failed,
        "A record of a fixture cannot be mapped, cast or identified; in a run it would become a dead letter.",
        "Correct 'map', 'key' or 'fields', or drop such records with 'drop_if'."
    )

    static let fixtureAccount = Self(
        "fixture-account",
        exit: .failed,
        "The manifest's 'check' names another account than the fixture's 'check'.",
        "Correct 'check.who' in the manifest, or the fixture."
    )

    static let fixtureFails = Self(
        "fixture-fails",
        exit: .failed,
        "Reading a fixture did not end with the error that its 'fails' expects.",
        "Correct 'fails', the answers or the manifest's rules for them."
    )

    static let goldenDiffers = Self(
        "golden-differs",
        exit: .failed,
        "The records of a fixture differ from its golden file, which is compared byte by byte.",
        "Correct the manifest. If the new records are right, write them with: plughost test PATH --update"
    )

    static let goldenInvalid = Self(
        "golden-invalid",
        exit: .failed,
        "A line of a golden file is not JSON.",
        "Correct it, or write the file again with: plughost test PATH --update"
    )

    static let goldenMissing = Self(
        "golden-missing",
        exit: .failed,
        "A fixture has no golden file.",
        "Write it with 'plughost test PATH --update', and check it before you keep it."
    )

    static let goldenOrphan = Self(
        "golden-orphan",
        exit: .failed,
        "A golden file has no fixture, so nothing is tested.",
        "Restore the fixture, or remove the golden file."
    )

    static let inlineDiffers = Self(
        "inline-differs",
        exit: .failed,
        "The record 'in' of a test in the manifest does not give its 'out'. Numbers are compared as written.",
        "Correct 'map' or 'fields', or the expected record."
    )

    static let memberUnmet = Self(
        "member-unmet",
        exit: .failed,
        "No fixture and no inline test has a member that the manifest names, so a spelling mistake there would go unnoticed. A "
            + "warning; an error with 'plughost test --strict'.",
        "Correct the spelling, or add a fixture or an inline test with the member."
    )

    static let streamUntested = Self(
        "stream-untested",
        exit: .failed,
        "No fixture reads a stream, or none has a record of it. A warning; an error with 'plughost test --strict'.",
        "Record a conversation with the source in 'fixtures', in which the stream has a record."
    )

    package static let noTests = Self(
        "no-tests",
        "A warning: the plug has neither 'tests:' in its manifest nor 'fixtures' beside it.",
        "Add a record to 'tests:' of each stream, and a recorded conversation to 'fixtures'."
    )
}
