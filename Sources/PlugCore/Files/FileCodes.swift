/// The codes of files, as `plughost explain` lists them.
package enum FileCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [
        .fileUnwritable, .open(.fileLarge), .open(.fileMissing), .open(.fileUnreadable),
    ]
}

extension PlugError.Code {
    package static let fileUnwritable = Self(
        "file-unwritable",
        exit: .configuration,
        "A file or a folder cannot be created.",
        "Choose another place, or check the permissions and whether the disk is full."
    )
}

extension PlugError.Code.Open {
    package static let fileLarge = Self(
        "file-large",
        "A file is larger than its kind can be, such as a token file of 64 KiB.",
        "Check that you named the right file."
    )

    package static let fileMissing = Self(
        "file-missing",
        "A file that an option names does not exist.",
        "Check the path. If a value itself begins with '@', put it into --config-file."
    )

    package static let fileUnreadable = Self(
        "file-unreadable",
        "A file cannot be read, or it is not UTF-8 text although text is needed.",
        "Check its permissions and its contents."
    )
}
