internal import PlugCore

/// The codes of output and questions.
enum ConsoleCodes {
    static let all: [PlugError.Code] = [
        .outputFailed, .manifestInvalid, .notConfirmed,
    ]
}

extension PlugError.Code {
    static let outputFailed = Self(
        "output-failed",
        exit: .failed,
        "The output could not be written to stdout, for example because the disk is full.",
        "Free some space and run the command again. What the command did is not undone."
    )

    static let manifestInvalid = Self(
        "manifest-invalid",
        exit: .configuration,
        "The manifest has errors, so nothing was started.",
        "Correct what 'plughost validate PATH' reports."
    )

    static let notConfirmed = Self(
        "not-confirmed",
        exit: .usage,
        "The command erases data for good, and there is no terminal to ask for confirmation.",
        "Add --yes."
    )
}
