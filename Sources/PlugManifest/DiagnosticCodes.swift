package import PlugCore

/// What each code of a diagnostic means: the table behind `plughost explain CODE`.
package enum DiagnosticCodes {
    /// The explanation of a code, `nil` for codes that no manifest gets.
    package static func explanation(of code: String) -> CodeExplanation? { all.first { $0.code == code } }

    /// All codes that reading and rendering manifests can give, grouped by subject.
    package static let all: [CodeExplanation] = findings.map(invalidating) + advice + rendering

    private static let findings: [CodeExplanation] =
        [file, keys, values, references, programs, streams].flatMap(\.self)

    /// Codes that are also met at work, where they lead to another status.
    private static let alsoAtWork: Set = ["header-control", "unknown-config", "unknown-stream"]

    /// Everything but advice and rendering makes a manifest invalid.
    private static func invalidating(_ explanation: CodeExplanation) -> CodeExplanation {
        CodeExplanation(
            explanation.code,
            exit: alsoAtWork.contains(explanation.code) ? nil : .configuration,
            explanation.cause,
            example: explanation.example,
            explanation.fix
        )
    }
}
