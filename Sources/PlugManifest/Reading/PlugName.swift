internal import PlugCore

/// The names of plugs, and of the providers that they share.
package enum PlugName {
    /// Whether a text is such a name: lower-case letters, digits and hyphens, at most 64.
    package static func isOne(_ text: String) -> Bool {
        DataPath.isNamespace(text) && text.count <= 64 && text.first != "-"
    }
}
