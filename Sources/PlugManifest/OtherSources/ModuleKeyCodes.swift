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
        "'swift' names a fetcher that is not built into this host. plughost contains the fetchers of its bundled plugs. A plug with its "
            + "own fetcher comes with a package that builds a host containing it.",
        example: "streams:\n  things: {endpoint: things, swift: Thigns}",
        "Correct the name, or build the plug's own package and use its program instead of plughost. Documentation/swift-modules.md "
            + "shows how."
    )
}
