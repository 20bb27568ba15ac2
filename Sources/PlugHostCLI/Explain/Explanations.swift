internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugTesting

/// All explanations, by what they are about.
enum Explanations {
    /// What a group of codes is about.
    struct Group {
        /// One word for programs.
        let kind: String
        /// A heading for people.
        let title: String
        let codes: [CodeExplanation]
    }

    static let groups = [
        Group(kind: "manifest", title: "Manifests", codes: DiagnosticCodes.all),
        Group(kind: "source", title: "Reading a source", codes: FetchCodes.all),
        Group(kind: "record", title: "Single records (dead letters)", codes: RunCodes.records),
        Group(kind: "pda", title: "Delivering to a PDA", codes: RunCodes.delivery),
        Group(kind: "run", title: "Runs and tokens", codes: RunCodes.runs),
        Group(kind: "state", title: "The state and its key", codes: RunCodes.state),
        Group(kind: "command", title: "Commands and files", codes: RunCodes.commandLine + RunCodes.deadLetters),
        Group(kind: "test", title: "Tests of plugs", codes: TestCodes.all),
        Group(kind: "demo", title: "The demo", codes: RunCodes.demo),
        Group(kind: "sandbox", title: "The sandbox", codes: RunCodes.sandbox),
        Group(kind: "call", title: "Calls to a PDA", codes: RunCodes.pda),
    ]

    static let all = groups.flatMap { group in
        group.codes.map { CodeText(explanation: $0, kind: group.kind) }
    }

    /// The list for people: a line for each code.
    static var list: String {
        groups.map { group in
            let lines = group.codes.map { CodeText(explanation: $0, kind: group.kind).line }
            return "\(group.title)\n\(lines.joined())"
        }.joined(separator: "\n")
    }

    /// - Throws: `PlugError` `unknown-code` (usage) with the nearest one.
    static func find(_ code: String) throws(PlugError) -> CodeText {
        let bare = code.hasPrefix("[") && code.hasSuffix("]") ? String(code.dropFirst().dropLast()) : code
        if let found = all.first(where: { $0.explanation.code == bare }) { return found }
        throw PlugError(
            "unknown-code",
            exit: .usage,
            "there is no code '\(DisplayText.escaped(code))'",
            advice: Spelling.question(bare, in: all.map(\.explanation.code)) ?? "'plughost explain' lists all codes"
        )
    }
}
