extension PlugError {
    /// The kind of an error, warning or finding: a stable text, and what `plughost explain` says about it.
    ///
    /// A code is a static member, declared beside its throwers:
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
        /// The exit status of every error with this code; `nil` for codes of warnings, findings and dead letters only.
        public let exit: ExitStatus?
        /// What happened and why.
        public let cause: String
        /// A piece of a manifest that triggers it, for codes of manifests.
        public let example: String?
        /// What to do now.
        public let fix: String

        /// A code and its explanation. Errors whose exit status varies from case to case have `Open`.
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
    /// A code whose exit status varies from case to case: each error has to state it.
    ///
    /// It is a separate type so that an error whose code fixes its exit status cannot be given another, and one with an open code
    /// cannot omit it.
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
