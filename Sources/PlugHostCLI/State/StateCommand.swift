internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost state`
struct StateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "The state folder as a whole: check it, prune it.",
        discussion: """
            Examples:
              plughost state check
              plughost state prune
            """,
        subcommands: [StateCheckCommand.self, StatePruneCommand.self]
    )
}

/// `plughost state check`
struct StateCheckCommand: HostCommand {
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

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let store = try await state.open(.read, context)
        let findings = try await store.check()
        await store.close()
        if json {
            context.answer(
                .members(
                    ("connections", .integer(findings.connections)),
                    ("values", .integer(findings.values)),
                    ("problems", .array(findings.problems.map { .text($0) }))
                )
            )
        } else {
            for problem in findings.problems { context.output.write(DisplayText.escaped(problem) + "\n") }
            let count = findings.connections
            let seen = "\(count == 1 ? "1 connection" : "\(count) connections"), \(findings.values) encrypted values"
            let problems = findings.problems.count == 1 ? "1 problem" : "\(findings.problems.count) problems"
            context.output.write(findings.problems.isEmpty ? "\(seen): no problems\n" : "\(seen): \(problems)\n")
        }
        context.output.flush()
        return findings.problems.isEmpty ? .done : .failed
    }
}

/// `plughost state prune`
struct StatePruneCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Removes data that is no longer needed.",
        usage: "plughost state prune [<options>]",
        discussion: """
            Removes runs beyond the newest hundred of a connection, expired notes about
            servers, and excessive counts of refusals. Runs do this for their own
            connection; use this command for connections that no longer run. Records,
            cursors, dead letters and the outbox are not touched.
            """
    )

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: runs, notes, refusals.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let store = try await state.openToWrite(context)
        let counts: PruneCounts
        do { counts = try await store.prune() } catch {
            await store.close()
            throw error
        }
        await store.close()
        if json {
            context.answer(
                .members(
                    ("runs", .integer(counts.runs)),
                    ("notes", .integer(counts.notes)),
                    ("refusals", .integer(counts.refusals))
                )
            )
        } else {
            context.output.write("removed \(counts.runs) runs, \(counts.notes) notes, \(counts.refusals) refusals\n")
        }
        return .done
    }
}
