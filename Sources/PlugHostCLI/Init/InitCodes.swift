internal import PlugCore

/// The codes of `plughost init`.
enum InitCodes {
    static let all: [PlugError.Code] = [
        .plugNameUnfit, .initExists, .initLike, .initFailed,
    ]
}

extension PlugError.Code {
    static let plugNameUnfit = Self(
        "plug-name-unfit",
        exit: .usage,
        "The name of a new plug cannot be a plug's id.",
        "Use lower-case letters, digits and hyphens, at most 64, such as 'my-plug'."
    )

    static let initExists = Self(
        "init-exists",
        exit: .usage,
        "A file or folder with the new plug's name already exists. Nothing was changed.",
        "Choose another name, or remove it."
    )

    static let initLike = Self(
        "init-like",
        exit: .usage,
        "The plug that 'plughost init --like' should copy does not exist.",
        "Name a bundled plug, or the path of a plug's folder."
    )

    static let initFailed = Self(
        "init-failed",
        exit: .failed,
        "The new plug was written, but its tests do not pass.",
        "Correct the manifest or the fixture, and run 'plughost test'."
    )
}
