internal import LosslessJSON

/// Scopes as services write them.
package enum ScopeList {
    /// The scopes that a response says were granted: a text with separators, or an array of texts.
    ///
    /// Many services return a different separator from the one they expect, usually a comma. So a comma separates too, unless a
    /// requested scope contains one.
    ///
    /// - Returns: `nil` if nothing is said, or the text is empty.
    static func granted(_ value: JSONValue?, separator: String, asked: [String]) -> [String]? {
        if let elements = value?.elements {
            let scopes = elements.compactMap(\.stringText)
            return scopes.isEmpty ? nil : scopes
        }
        return value?.stringText.flatMap { granted($0, separator: separator, asked: asked) }
    }

    /// The scopes that a text says were granted; `nil` if it says nothing.
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

    /// The scopes that were requested but not granted, in order. Case matters (RFC 6749, section 3.3).
    package static func missing(from granted: [String], of asked: [String]) -> [String] {
        let granted = Set(granted)
        return asked.filter { !granted.contains($0) }
    }
}
