package import PlugCore

/// The codes of application directories, as `plughost explain` lists them.
package enum DirectoryCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [
        .directoryAnswer, .directoryUnreachable,
    ]
}

extension PlugError.Code {
    static let directoryAnswer = Self(
        "directory-answer",
        exit: .tryLater,
        "The application directory answered with an error, or with something that is not a directory's answer.",
        "Check the address. A PDA requests GET /api/v3/applications and /api/v3/applications/ID there."
    )

    static let directoryUnreachable = Self(
        "directory-unreachable",
        exit: .unreachable,
        "The application directory does not answer. Without it a PDA knows none of its applications.",
        "Start the directory, or check its address and the network."
    )
}
