/// Why a text is not JSON, and at which byte.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error, for callers that say more than the reason.
    public enum Kind: Sendable {
        /// It is not JSON.
        case malformed
        /// It has more bytes than the limit.
        case tooLarge
        /// It has more tokens than the limit.
        case tooManyTokens
        /// It is nested deeper than the limit.
        case tooDeep
        /// Nothing is known to be wrong with it: the system gave no memory for reading it.
        case noMemory
    }

    /// What is wrong.
    public let kind: Kind
    /// What is wrong, such as `a value is expected`.
    public let reason: String
    /// The offset in bytes, from 0.
    public let offset: Int

    /// An error at a byte.
    public init(_ reason: String, at offset: Int, _ kind: Kind = .malformed) {
        self.kind = kind
        self.reason = reason
        self.offset = offset
    }

    /// The error of a document for which the system gives no memory.
    static var noMemory: JSONError { JSONError("there is not enough memory to read it", at: 0, .noMemory) }

    /// `REASON at byte offset N`
    public var description: String { "\(reason) at byte offset \(offset)" }
}

/// Limits beyond which a reader refuses a document.
public struct JSONLimits: Sendable, Equatable {
    /// The maximum nesting of arrays and objects.
    public var depth: Int
    /// The maximum number of bytes.
    public var bytes: Int
    /// The maximum number of values, keys, brackets, commas and colons: each takes up to twelve bytes while a document lives.
    public var tokens: Int

    /// By default 128 levels, 64 MiB and any number of tokens.
    public init(depth: Int = 128, bytes: Int = 64 << 20, tokens: Int = .max) {
        self.depth = depth
        self.bytes = bytes
        self.tokens = tokens
    }
}
