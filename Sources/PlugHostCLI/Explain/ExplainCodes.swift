internal import PlugCore

/// The codes of `plughost explain`.
enum ExplainCodes {
    static let all: [PlugError.Code] = [
        .unknownCode
    ]
}

extension PlugError.Code {
    static let unknownCode = Self(
        "unknown-code",
        exit: .usage,
        "'plughost explain' was given a code that does not exist.",
        "Copy the code from the brackets of an error; 'plughost explain' lists all codes."
    )
}
