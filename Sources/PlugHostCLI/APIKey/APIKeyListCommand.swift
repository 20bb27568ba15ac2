internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost apikey list`
struct APIKeyListCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists API keys, by name.",
        usage: "plughost apikey list [<options>]",
        discussion: """
            Prints a table on a terminal. Otherwise it prints one line per key, separated
            by tabs: name, scopes, when it was made, when it was last used. With --json
            each line is an object: name, scopes, created, used. The keys themselves are
            stored nowhere.
            """
    )

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let keys = try await state.withStoreToRead(context) { try await $0.apiKeys() }
        answers(in: context).list(keys, as: Self.list)
        return .done
    }

    private static let list = ListForm<StoredAPIKey>(
        header: ["name", "scopes", "created", "used"],
        limits: [32, 60, 20, 20],
        columns: { key in
            [
                key.name, key.scopes.joined(separator: " "), ConnectionText.time(key.createdAt),
                ConnectionText.time(key.usedAt),
            ]
        },
        payload: { key in
            .members(
                ("name", .text(key.name)),
                ("scopes", .array(key.scopes.map { .text($0) })),
                ("created", .text(Timestamp(microseconds: key.createdAt).rfc3339)),
                ("used", key.usedAt.map { .text(Timestamp(microseconds: $0).rfc3339) } ?? .null)
            )
        }
    )
}
