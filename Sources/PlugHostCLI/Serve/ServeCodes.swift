internal import PlugCore

extension PlugError.Code {
    static let plugTwice = Self(
        "plug-twice",
        exit: .configuration,
        "Two of the manifests that a host serves have the same 'plug'.",
        "Leave one of them out, or give one another id."
    )

    static let plugsMissing = Self(
        "plugs-missing",
        exit: .configuration,
        "A path of the command line or of 'plugs' leads to no manifest, or there is no path and no bundled plug.",
        "Name manifests, folders with a plug.yaml, or folders of such folders."
    )
}

extension PlugError.Code.Open {
    static let configurationInvalid = Self(
        "configuration-invalid",
        "The configuration of the host has errors, which are shown before this one.",
        "Correct them; 'plughost config' shows them again."
    )
}
