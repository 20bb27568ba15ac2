/// Why a text is not JSON, and at which byte.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with it, where a caller says more than the reason.
    public enum Kind: Sendable {
        /// It is no JSON.
        case malformed
        /// It has more bytes than the limit.
        case tooLarge
        /// It has more values and marks than the limit.
        case tooManyTokens
        /// It is nested deeper than the limit.
        case tooDeep
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

    /// `REASON at byte offset N`
    public var description: String { "\(reason) at byte offset \(offset)" }
}

/// What a reader accepts before it refuses a document.
public struct JSONLimits: Sendable, Equatable {
    /// Arrays and objects inside each other, at most.
    public var depth: Int
    /// Bytes, at most.
    public var bytes: Int
    /// Values, keys, brackets, commas and colons, at most: each takes up to twelve bytes of memory while a document lives.
    public var tokens: Int

    /// 128 levels, 64 MiB and any number of tokens unless told otherwise.
    public init(depth: Int = 128, bytes: Int = 64 << 20, tokens: Int = .max) {
        self.depth = depth
        self.bytes = bytes
        self.tokens = tokens
    }
}
