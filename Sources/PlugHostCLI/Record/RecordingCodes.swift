internal import PlugCore

/// The codes of `plughost record`.
enum RecordingCodes {
    static let all: [PlugError.Code] = [
        .recordBinary, .recordDiverged, .recordEmpty, .recordExists, .recordLarge, .recordSecret,
        .recordUnusable,
    ]
}

extension PlugError.Code {
    static let recordBinary = Self(
        "record-binary",
        exit: .failed,
        "An answer is not text, such as an archive or an image: it cannot be searched for names and secrets, so it is not recorded.",
        "Write the fixture by hand, with made-up data ('bodyBase64')."
    )

    static let recordDiverged = Self(
        "record-diverged",
        exit: .failed,
        "With placeholders for its values, the plug cannot read a recording as it read the live answers: a program in the manifest "
            + "depends on a value that was replaced. Nothing was written.",
        "Keep the member that the program reads with --keep NAME, if it says nothing about the person."
    )

    static let recordEmpty = Self(
        "record-empty",
        exit: .failed,
        "The source gave no records, so there is nothing to record.",
        "Check the configuration, or choose another stream with --stream NAME."
    )

    static let recordExists = Self(
        "record-exists",
        exit: .failed,
        "The fixture that 'plughost record' would write already exists.",
        "Give the new one another name with --name NAME, or replace it with --force."
    )

    static let recordLarge = Self(
        "record-large",
        exit: .failed,
        "The answers of a recording are larger than 8 MiB.",
        "Read fewer pages with --pages, or one stream with --stream NAME."
    )

    static let recordSecret = Self(
        "record-secret",
        exit: .failed,
        "A secret of the live run would be in the fixture, as it is or encoded. Nothing was written.",
        "If --keep names the member that holds it, drop that --keep. Otherwise report it, without the secret."
    )

    static let recordUnusable = Self(
        "record-unusable",
        exit: .failed,
        "The fixture was made, but 'plughost test' would fail on it. Nothing was written.",
        "If a program or a cast depends on a value that was replaced, keep its member with --keep NAME. Otherwise correct the "
            + "manifest: 'plughost try' shows what it makes of the source."
    )
}
