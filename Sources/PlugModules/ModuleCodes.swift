package import PlugCore

extension PlugError.Code {
    static let fetcherName = Self(
        "fetcher-name",
        exit: .configuration,
        "A fetcher of this host's program has a name that cannot be used in a manifest.",
        "Give the type a static 'name' of 1 to 64 letters, digits, '_', '-' and '.', beginning with a letter."
    )

    static let fetcherTwice = Self(
        "fetcher-twice",
        exit: .configuration,
        "Two fetchers of this host's program have the same name, so 'swift' would be ambiguous. The fetchers of the bundled plugs "
            + "count, too.",
        "Give one of the types another static 'name', and write it in the manifest."
    )
}

/// The codes of Swift fetchers, before anything is read.
package enum ModuleCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [.fetcherName, .fetcherTwice]
}
