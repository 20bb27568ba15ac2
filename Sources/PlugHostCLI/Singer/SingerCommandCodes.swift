internal import PlugCore

/// The codes of Singer programs at the command line.
enum SingerCommandCodes {
    static let all: [PlugError.Code] = [
        .singerUnusable
    ]
}

extension PlugError.Code {
    static let singerUnusable = Self(
        "singer-unusable",
        exit: .configuration,
        "'plughost singer discover' cannot make a plug from what it was given.",
        "Name a program, or a plug with 'exec'; see 'plughost help singer discover'."
    )
}
