public import PlugCore

/// Tests name codes by their texts, as users and their scripts do: a code that is renamed breaks its tests.
extension PlugError.Code: ExpressibleByStringLiteral {
    /// The code with this text.
    public init(stringLiteral text: String) { self.init(text, "", "") }
}

extension PlugError.Code.Open: ExpressibleByStringLiteral {
    /// The open code with this text.
    public init(stringLiteral text: String) { self.init(text, "", "") }
}
