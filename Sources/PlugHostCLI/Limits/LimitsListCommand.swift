internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage
internal import Throttling

/// `plughost limits list`
struct LimitsListCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists remembered limits, by name.",
        usage: "plughost limits list [<options>]",
        discussion: """
            Prints a table on a terminal. Otherwise it prints one line per entry,
            separated by tabs: name, kind, the time until which no request is sent ('-'
            if only a rate is remembered), and the reason. With --json each line is an
            object: name, kind, until, reason. Kinds are source, connection and circuit.
            """
    )

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let notes = try await state.withStoreToRead(context) { try await $0.serverNotes() }
        let limits = notes.sorted { $0.name < $1.name }.compactMap { RememberedLimit($0, clock: context.clock) }
        answers(in: context).list(limits, as: Self.list)
        return .done
    }

    private static let list = ListForm<RememberedLimit>(
        header: ["name", "kind", "until", "why"],
        limits: [60, 12, 20, 60],
        columns: { [$0.name, $0.kind.rawValue, ConnectionText.time($0.until), $0.reason] },
        payload: { limit in
            .members(
                ("name", .text(limit.name)),
                ("kind", .text(limit.kind.rawValue)),
                ("until", limit.until.map { .text(Timestamp(microseconds: $0).rfc3339) } ?? .null),
                ("reason", .text(limit.reason))
            )
        }
    )
}
