internal import PlugCore

extension PlugError.Code {
    static let apiKeyExists = Self(
        "api-key-exists",
        exit: .failed,
        "An API key of this name exists. Nothing was changed.",
        "Choose another name, or remove the key first: what uses it stops working then."
    )

    static let apiKeyUnknown = Self(
        "api-key-unknown",
        exit: .failed,
        "The state has no API key of this name.",
        "'plughost apikey list' shows the names."
    )
}
