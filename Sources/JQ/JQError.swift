package import LosslessJSON

/// Why a text is not a jq program, and where.
package struct JQSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, such as `unexpected ')'`.
    package let message: String
    /// Where, in Unicode scalars of the source; empty at the end of the source.
    package let range: Range<Int>
    /// What to try instead, such as `did you mean 'select'?`.
    package let help: String?

    /// An error at a place.
    package init(_ message: String, at range: Range<Int>, help: String? = nil) {
        self.message = message
        self.range = range
        self.help = help
    }

    /// Message, place and help on one line.
    package var description: String { "\(message) at \(range.lowerBound)" + (help.map { " (\($0))" } ?? "") }
}

/// Why a run of a program ended.
package struct JQError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    package enum Kind: Sendable, Equatable {
        /// The program raised this value: by `error`, or as one of the engine's own messages.
        case thrown(JSONValue)
        /// More steps than the limit.
        case steps
        /// More bytes held than the limit.
        case bytes
        /// More processor time than the limit.
        case time
        /// A value nested deeper than the engine allows.
        case depth
        /// The task was cancelled: not the program's fault. Callers that run programs in a cancellable task distinguish it from
        /// the others.
        case cancelled
    }

    /// What happened.
    package let kind: Kind
    /// In jq's words, which quote values.
    package let message: String
    /// The same without values of the input, which are private: for logs and for errors about whole pages.
    package internal(set) var withoutValues: String
    /// Whether the program iterated over `null`, as `.items[]` does if there are no items.
    package internal(set) var isIterationOfNull = false
    /// A key that `withoutValues` leaves out because it may be a value, unless the program itself names it.
    var unquotedKey: String?
    /// The scalar offset, in the source, of the term that failed.
    package var offset: Int?

    /// An error of this kind.
    package init(_ kind: Kind, message: String, withoutValues: String? = nil, offset: Int? = nil) {
        self.kind = kind
        self.message = message
        self.withoutValues = withoutValues ?? message
        self.offset = offset
    }

    /// An error that the program can catch, with a text.
    package init(_ message: String, withoutValues: String? = nil) {
        self.init(.thrown(.text(message)), message: message, withoutValues: withoutValues)
    }

    /// The message.
    package var description: String { message }
}
