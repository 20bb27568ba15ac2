internal import PlugCore

extension PlugError.Code {
    static let plugTwice = Self(
        "plug-twice",
        exit: .configuration,
        "Two of the manifests that a host serves have the same 'plug'.",
        "Leave one of them out, or give one another id."
    )
}

extension PlugError.Code.Open {
    static let configurationInvalid = Self(
        "configuration-invalid",
        "The configuration of the host has errors, which are shown before this one.",
        "Correct them; 'plughost config' shows them again."
    )
}
