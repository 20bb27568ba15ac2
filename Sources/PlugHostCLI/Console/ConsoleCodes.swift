internal import PlugCore

extension PlugError.Code {
    static let stateNowhere = Self(
        "state-nowhere",
        exit: .configuration,
        "Neither XDG_STATE_HOME nor HOME is an absolute path, so there is no default folder for the state.",
        "Name a folder with --state DIR."
    )

    static let fileUnwritable = Self(
        "file-unwritable",
        exit: .configuration,
        "A file or a folder cannot be created.",
        "Choose another place, or check the permissions and whether the disk is full."
    )

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

extension PlugError.Code.Open {
    static let fileLarge = Self(
        "file-large",
        "A file is larger than its kind can be, such as a token file of 64 KiB.",
        "Check that you named the right file."
    )

    static let fileMissing = Self(
        "file-missing",
        "A file that an option names does not exist.",
        "Check the path. If a value itself begins with '@', put it into --config-file."
    )

    static let fileUnreadable = Self(
        "file-unreadable",
        "A file cannot be read, or it is not UTF-8 text although text is needed.",
        "Check its permissions and its contents."
    )
}
