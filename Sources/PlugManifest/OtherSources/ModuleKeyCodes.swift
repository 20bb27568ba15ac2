internal import PlugCore

/// The codes of the key 'swift'.
enum ModuleKeyCodes {
    static let all: [PlugError.Code] = [
        .unknownFetcher
    ]
}

extension PlugError.Code {
    static let unknownFetcher = Self(
        "unknown-fetcher",
        exit: .configuration,
        "'swift' names a fetcher that is not built into this host. plughost has the fetchers of its bundled plugs; a plug with a fetcher of "
            + "its own comes with a package that builds a host which has that one, too.",
        example: "streams:\n  things: {endpoint: things, swift: Thigns}",
        "Correct the name, or build the plug's own package and use its program instead of plughost. Documentation/swift-modules.md "
            + "shows how."
    )
}
