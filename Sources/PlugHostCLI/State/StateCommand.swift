internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStore

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
        abstract: "Looks through the whole state for damage; changes nothing.",
        usage: "plughost state check [<options>]",
        discussion: """
            SQLite's own check, and every sealed value: whether it is as it was written.
            May run beside others. Exit code 0 means that all is well, 1 that something
            is not; each problem is a line.
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
            let seen = "\(findings.connections) connections, \(findings.values) sealed values"
            let problems = findings.problems.count == 1 ? "1 problem" : "\(findings.problems.count) problems"
            context.output.write(findings.problems.isEmpty ? "\(seen): all well\n" : "\(seen): \(problems)\n")
        }
        context.output.flush()
        return findings.problems.isEmpty ? .done : .failed
    }
}

/// `plughost state prune`
struct StatePruneCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Removes what nobody needs any more.",
        usage: "plughost state prune [<options>]",
        discussion: """
            Runs beyond the newest hundred of a connection, notes about servers whose
            time has come, counts of refusals beyond all measure. Runs do the same for
            themselves; this is for connections that run no more. Records, cursors,
            dead letters and the outbox are not touched.
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
