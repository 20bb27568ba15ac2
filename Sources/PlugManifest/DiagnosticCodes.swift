internal import PlugCore

/// What each code of a diagnostic means: the table behind `plughost explain CODE`.
public enum DiagnosticCodes {
    /// One code.
    public struct Explanation: Sendable, Equatable {
        /// The code.
        public var code: String
        /// Why it is found.
        public var cause: String
        /// A piece of a manifest that has it.
        public var example: String
        /// What to do.
        public var fix: String

        init(_ code: String, _ cause: String, _ example: String, _ fix: String) {
            self.code = code
            self.cause = cause
            self.example = example
            self.fix = fix
        }
    }

    /// The explanation of a code, `nil` for codes that no manifest gets.
    public static func explanation(of code: String) -> Explanation? { all.first { $0.code == code } }

    /// The known code that is nearest to a misspelt one.
    public static func nearest(_ code: String) -> String? { Spelling.nearest(code, in: all.map(\.code)) }

    /// All codes that reading and rendering manifests can give, grouped by subject.
    public static let all = file + keys + values + references + programs + streams + rendering
}
