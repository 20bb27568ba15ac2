internal import LosslessJSON

/// Scopes as services write them.
package enum ScopeList {
    /// What an answer says was granted: a text with separators, or an array of texts.
    ///
    /// Services separate by something else than they ask to be asked with, most by commas. So a comma separates, too, unless
    /// a scope that was asked for has one.
    ///
    /// - Returns: `nil` where nothing is said, also by an empty text.
    static func granted(_ value: JSONValue?, separator: String, asked: [String]) -> [String]? {
        if let elements = value?.elements {
            let scopes = elements.compactMap(\.stringText)
            return scopes.isEmpty ? nil : scopes
        }
        return value?.stringText.flatMap { granted($0, separator: separator, asked: asked) }
    }

    /// What a text says was granted; `nil` where it says nothing.
    package static func granted(_ text: String, separator: String, asked: [String]) -> [String]? {
        var text = text
        if !separator.isEmpty { text = text.replacing(separator, with: " ") }
        if !asked.contains(where: { $0.contains(",") }) { text = text.replacing(",", with: " ") }
        var scopes: [String] = []
        for scope in text.split(whereSeparator: \.isWhitespace).map(String.init) where !scopes.contains(scope) {
            scopes.append(scope)
        }
        return scopes.isEmpty ? nil : scopes
    }

    /// Those that were asked for and not granted, in their order. Case counts (RFC 6749, section 3.3).
    package static func missing(from granted: [String], of asked: [String]) -> [String] {
        let granted = Set(granted)
        return asked.filter { !granted.contains($0) }
    }
}
