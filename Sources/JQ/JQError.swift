public import LosslessJSON

/// Why a text is not a jq program, and where.
public struct JQSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, such as `unexpected ')'`.
    public let message: String
    /// Where, in Unicode scalars of the source; empty at the end of the source.
    public let range: Range<Int>
    /// What to try instead, such as `did you mean 'select'?`.
    public let help: String?

    /// An error at a place.
    public init(_ message: String, at range: Range<Int>, help: String? = nil) {
        self.message = message
        self.range = range
        self.help = help
    }

    /// Message, place and help on one line.
    public var description: String { "\(message) at \(range.lowerBound)" + (help.map { " (\($0))" } ?? "") }
}

/// Why a run of a program ended.
public struct JQError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable, Equatable {
        /// The program raised this value: by `error`, or a text of the engine's own.
        case thrown(JSONValue)
        /// More steps than the limit.
        case steps
        /// More bytes held than the limit.
        case bytes
        /// A value nested deeper than the engine allows.
        case depth
        /// The task was cancelled, and `JQLimits.stopsWhenCancelled` is set.
        case cancelled
    }

    /// What happened.
    public let kind: Kind
    /// In jq's words, which quote values.
    public let message: String
    /// The same without values of the input, which are somebody's data: for logs and for errors about whole pages.
    public internal(set) var withoutValues: String
    /// A key that `withoutValues` leaves out because it may be a value; not so where the program itself names it.
    var unquotedKey: String?
    /// The scalar offset, in the source, of the term that failed.
    public var offset: Int?

    /// An error of this kind.
    public init(_ kind: Kind, message: String, withoutValues: String? = nil, offset: Int? = nil) {
        self.kind = kind
        self.message = message
        self.withoutValues = withoutValues ?? message
        self.offset = offset
    }

    /// An error the program can catch, with a text.
    public init(_ message: String, withoutValues: String? = nil) {
        self.init(.thrown(.text(message)), message: message, withoutValues: withoutValues)
    }

    /// The message.
    public var description: String { message }
}

/// How much a run may do.
public struct JQLimits: Sendable, Equatable {
    /// Steps: calls, resumed generators and elements touched by functions.
    public var steps: Int
    /// Bytes held at a time, beyond the input.
    public var bytes: Int
    /// Whether a run ends with an error soon after its task was cancelled. Whoever sets this tells that error from others.
    public var stopsWhenCancelled: Bool

    /// Ten million steps and 64 MiB unless told otherwise.
    public init(steps: Int = 10_000_000, bytes: Int = 64 << 20, stopsWhenCancelled: Bool = false) {
        self.steps = steps
        self.bytes = bytes
        self.stopsWhenCancelled = stopsWhenCancelled
    }
}
