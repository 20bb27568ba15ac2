extension PlugError {
    /// What kind of error, warning or finding it is: a stable text, and what `plughost explain` says about it.
    ///
    /// A code is a static member that stands beside its throwers:
    ///
    /// ```swift
    /// extension PlugError.Code {
    ///     static let pageNotJSON = Self("page-not-json", exit: .data, "An answer is not valid JSON.", "Request …")
    /// }
    ///
    /// throw PlugError(.pageNotJSON, "page 2 is not JSON")
    /// ```
    ///
    /// Codes are compared by their text.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code as it is shown and stored, such as `page-not-json`.
        public let text: String
        /// The exit status of every error with this code; `nil` for what is only a warning, a finding or a dead letter.
        public let exit: ExitStatus?
        /// What happened and why.
        public let cause: String
        /// A piece of a manifest that has it, for codes of manifests.
        public let example: String?
        /// What to do now.
        public let fix: String

        /// A code and its explanation. For errors that end differently from case to case there is `Open`.
        public init(
            _ text: String,
            exit: ExitStatus? = nil,
            _ cause: String,
            example: String? = nil,
            _ fix: String
        ) {
            self.text = text
            self.exit = exit
            self.cause = cause
            self.example = example
            self.fix = fix
        }

        /// The text.
        public var description: String { text }

        /// Compares texts.
        public static func == (left: Self, right: Self) -> Bool { left.text == right.text }

        /// Hashes the text.
        public func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
}

extension PlugError.Code {
    /// A code whose errors end differently from case to case: each of them has to say how.
    ///
    /// It is a type of its own so that no error with a code of one exit status can be given another, and none with an
    /// open code can forget it.
    public struct Open: Sendable {
        /// The code itself.
        public let code: PlugError.Code

        /// An open code and its explanation.
        public init(_ text: String, _ cause: String, example: String? = nil, _ fix: String) {
            code = PlugError.Code(text, cause, example: example, fix)
        }
    }

    /// The code of an open one, for lists, findings and comparisons.
    public static func open(_ open: Open) -> Self { open.code }
}
