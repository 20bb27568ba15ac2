/// A finding about a manifest (or a program in it), as data that a single printer renders.
public struct Diagnostic: Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable {
        /// The manifest cannot be used.
        case error
        /// It can be used, but deserves a look.
        case warning
        /// Additional information.
        case note
    }

    /// A place in a file. Lines and columns count from 1; columns count Unicode scalars.
    public struct Location: Sendable, Hashable, Comparable {
        /// The line, from 1.
        public var line: Int
        /// The column in Unicode scalars, from 1.
        public var column: Int
        /// How many scalars it covers, at least 1.
        public var length: Int

        /// A place of some length.
        public init(line: Int, column: Int, length: Int = 1) {
            self.line = line
            self.column = column
            self.length = max(1, length)
        }

        /// Orders by line, then column.
        public static func < (left: Self, right: Self) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// How bad it is.
    public var severity: Severity
    /// A stable code such as `unknown-key`.
    public var code: PlugError.Code
    /// One sentence, without a final full stop.
    public var message: String
    /// Where; `nil` for a finding about the file as a whole.
    public var location: Location?
    /// What to do, such as `did you mean 'page'?`.
    public var help: String?

    /// A finding.
    public init(
        _ severity: Severity = .error,
        _ code: PlugError.Code,
        _ message: String,
        at location: Location? = nil,
        help: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.location = location
        self.help = help
    }
}
