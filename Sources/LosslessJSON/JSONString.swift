/// A JSON string or object key, compared by its UTF-8 bytes.
///
/// Swift's `String` treats canonically equivalent texts as equal (`é` in one scalar and in two); JSON, jq and the PDA do
/// not. Order is by UTF-8 bytes, which is the order of code points.
public struct JSONString: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The decoded text; lone surrogates have become U+FFFD.
    public let text: String

    /// Wraps a text.
    public init(_ text: String) { self.text = text }

    /// Wraps a literal.
    public init(stringLiteral value: String) { self.text = value }

    /// The text itself.
    public var description: String { text }

    /// Whether both have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Whether `left` comes first by UTF-8 bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
