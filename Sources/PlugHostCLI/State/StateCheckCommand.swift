internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost state check`
struct StateCheckCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks the whole state for damage; changes nothing.",
        usage: "plughost state check [<options>]",
        discussion: """
            Runs SQLite's own check, and checks that every encrypted value can be read.
            Other commands may run at the same time. Exit code 0 means no problems, 1
            that there are some; each problem is a line.
            """
    )

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object: connections, values, problems.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let findings = try await state.withStoreToRead(context) { try await $0.check() }
        answers(in: context).one(
            .members(
                ("connections", .integer(findings.connections)),
                ("values", .integer(findings.values)),
                ("problems", .array(findings.problems.map { .text($0) }))
            ),
            text: Self.text(findings)
        )
        return findings.problems.isEmpty ? .done : .failed
    }

    private static func text(_ findings: StateFindings) -> String {
        let connections = findings.connections.counted("connection")
        let problems =
            switch findings.problems.count {
            case 0: "no problems"
            case 1: "1 problem"
            case let count: "\(count) problems"
            }
        let lines = findings.problems.map { DisplayText.escaped($0) + "\n" }.joined()
        return "\(lines)\(connections), \(findings.values) encrypted values: \(problems)\n"
    }
}
