internal import PlugCore

/// The codes of API keys.
enum APIKeyCodes {
    static let all: [PlugError.Code] = [
        .apiKeyExists, .apiKeyUnknown,
    ]
}

extension PlugError.Code {
    static let apiKeyExists = Self(
        "api-key-exists",
        exit: .failed,
        "An API key with this name already exists. Nothing was changed.",
        "Choose another name, or remove the key first: programs that use it then stop working."
    )

    static let apiKeyUnknown = Self(
        "api-key-unknown",
        exit: .failed,
        "The state has no API key with this name.",
        "'plughost apikey list' shows the names."
    )
}
