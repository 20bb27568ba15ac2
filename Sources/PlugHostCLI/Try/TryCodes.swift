internal import PlugCore

/// The codes of `plughost try`.
enum TryCodes {
    static let all: [PlugError.Code] = [
        .parameterIgnored
    ]
}

extension PlugError.Code {
    static let parameterIgnored = Self(
        "parameter-ignored",
        "A finding of 'plughost try --probe': the service gives the same records, or equally many, whatever a parameter of the "
            + "request says. Most services ignore misspelt parameters.",
        "Compare the parameter's name, and how its value is written, with the service's documentation."
    )
}
