internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Throttling

/// `plughost limits forget`
struct LimitsForgetCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forgets remembered limits, so that requests are sent at once.",
        usage: "plughost limits forget [<options>] <name> ...",
        discussion: """
            Use it for a host that works again, or for a limit that no longer applies. A
            running host forgets them within seconds. A connection that waits until a time
            set by a source still waits: 'plughost connection run NAME' makes it due. After
            a rate is forgotten, requests may exceed it; the source may then refuse them
            and ask for a wait.

            Examples:
              plughost limits forget 'host source api.example.org:443'
              plughost limits forget --all
            """
    )

    @Argument(help: ArgumentHelp("Names, as 'list' shows them.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "All of them.")
    var all = false

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: forgotten.")
    var json = false

    func validate() throws {
        if names.isEmpty != all { throw ValidationError("give names of limits, or --all") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let count = try await state.withStoreToWrite(context) { store in
            let known = try await store.serverNotes().map(\.name).filter { $0 != ForgottenLimits.noteName }
            if let name = names.first(where: { !known.contains($0) }) { throw Self.unknown(name, known) }
            let meant = all ? known : names
            try await store.keepServerNotes(meant.map { .removal(of: $0) })
            let now = context.clock.now()
            let wish = all ? nil : names
            try await store.changeServerNote(ForgottenLimits.noteName) { note in
                var wishes = ForgottenLimits(note)
                wishes.add(wish, at: now)
                return wishes.note(at: now)
            }
            return meant.count
        }
        answers(in: context).one(
            .members(("forgotten", .integer(count))),
            text: "forgot \(count.counted("limit"))\n"
        )
        return .done
    }

    private static func unknown(_ name: String, _ known: [String]) -> PlugError {
        PlugError(
            .limitUnknown,
            "no limit is remembered under '\(DisplayText.escaped(name))'",
            advice: Spelling.question(name, in: known) ?? "'plughost limits list' shows the names"
        )
    }
}
