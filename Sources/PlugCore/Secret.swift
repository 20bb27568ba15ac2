/// A text that must not be seen: it prints as `<redacted>`, and only `reveal()` exposes it.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// Hides a text.
    public init(_ value: String) { self.value = value }

    /// The text itself. Each call site is a place where a secret leaves the type: a header, a cipher, nothing else.
    public func reveal() -> String { value }

    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// A mirror without children, so that `dump` and reflection show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
