internal import PlugCore

/// The codes of `plughost serve`.
enum ServeCodes {
    static let all: [PlugError.Code] = [
        .diskFull, .plugTwice, .open(.configurationInvalid),
    ]
}

extension PlugError.Code {
    static let diskFull = Self(
        "disk-full",
        exit: .tryLater,
        "The disk of the state has less than 8 MiB left, or is read-only: GET /readyz answers 503, and runs wait.",
        "Free some space, or remount it writable. Nothing is lost, and runs continue by themselves."
    )

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
        "The host's configuration has errors, which are shown above this one.",
        "Correct them; 'plughost config' shows them again."
    )
}
