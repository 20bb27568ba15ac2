/// What a code of an error, a warning or a finding means: an entry of the tables behind `plughost explain CODE`.
public struct CodeExplanation: Sendable, Equatable {
    /// The code, such as `page-not-json`.
    public let code: String
    /// What happened and why.
    public let cause: String
    /// A piece of a manifest that has it, for codes of manifests.
    public let example: String?
    /// What to do now.
    public let fix: String
    /// The exit status that the code leads to, where that is always the same one.
    public let exit: ExitStatus?

    /// Explains a code.
    public init(
        _ code: String,
        exit: ExitStatus? = nil,
        _ cause: String,
        example: String? = nil,
        _ fix: String
    ) {
        self.code = code
        self.cause = cause
        self.example = example
        self.fix = fix
        self.exit = exit
    }
}
