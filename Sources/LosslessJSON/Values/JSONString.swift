internal import Glibc

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
    public static func == (left: Self, right: Self) -> Bool {
        // Most keys that are compared differ in length.
        left.text.utf8.count == right.text.utf8.count && order(left, right) == 0
    }

    /// Whether `left` comes first by UTF-8 bytes.
    public static func < (left: Self, right: Self) -> Bool {
        let order = order(left, right)
        return order < 0 || (order == 0 && left.text.utf8.count < right.text.utf8.count)
    }

    /// How the bytes of the common length compare: below, equal to or above 0.
    @inline(__always)
    private static func order(_ left: Self, _ right: Self) -> Int {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let common = min(left.count, right.count)
                // `memcmp` reads nothing if there are no bytes, but still requires addresses.
                guard common > 0, let a = left.baseAddress, let b = right.baseAddress else { return 0 }
                return Int(memcmp(a, b, common))
            }
        }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
