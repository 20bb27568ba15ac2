internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugHostWeb
internal import PlugStorage

/// `plughost apikey remove`
struct APIKeyRemoveCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes an API key: whatever uses it is refused from then on.",
        usage: "plughost apikey remove <name> [<options>]",
        discussion: """
            This takes effect at once, even on a running host. What the key has made and
            changed stays.
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: removed, the key's name.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let (wasThere, known) = try await state.withStoreToWrite(context) { store in
            let isRemoved = try await APIKeys(store, clock: context.clock).remove(name)
            return (isRemoved, try await store.apiKeys().map(\.name))
        }
        guard wasThere else {
            let names = known.isEmpty ? "none" : known.map { DisplayText.escaped($0) }.joined(separator: ", ")
            throw PlugError(
                .apiKeyUnknown,
                "there is no API key '\(DisplayText.escaped(name))' here",
                advice: Spelling.question(name, in: known) ?? "the keys are: \(names)"
            )
        }
        answers(in: context).one(
            .members(("removed", .text(name))),
            text: "removed the key '\(DisplayText.escaped(name))'\n"
        )
        return .done
    }
}
