package import PlugCore

/// A host's fetchers, by their names in manifests.
package struct FetcherRegistry: Sendable {
    private let types: [String: any StreamFetcher.Type]

    /// A host without fetchers.
    package init() { types = [:] }

    /// A host's fetchers.
    ///
    /// - Throws: `PlugError` `fetcher-name` if a name is not valid in a manifest, `fetcher-twice` if two types share one.
    package init(_ fetchers: [any StreamFetcher.Type]) throws(PlugError) {
        var types: [String: any StreamFetcher.Type] = [:]
        for type in fetchers {
            guard Self.isName(type.name) else {
                throw PlugError(
                    .fetcherName,
                    "'\(DisplayText.escaped(String(type.name.prefix(100))))' is not a name for a fetcher",
                    advice: "give \(type) a static 'name' of 1 to 64 letters, digits, '_', '-' and '.'"
                )
            }
            if let other = types.updateValue(type, forKey: type.name) {
                throw PlugError(
                    .fetcherTwice,
                    "the fetchers \(other) and \(type) are both called '\(type.name)'",
                    advice: "give one of them another static 'name'"
                )
            }
        }
        self.types = types
    }

    /// The names, in order.
    package var names: [String] { types.keys.sorted() }

    /// The fetcher with a name.
    package subscript(name: String) -> (any StreamFetcher.Type)? { types[name] }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, (1...64).contains(text.utf8.count) else { return false }
        return first.isASCII && first.properties.isAlphabetic
            && text.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || $0.properties.numericType != nil
                        || "_-.".unicodeScalars.contains($0))
            }
    }
}
