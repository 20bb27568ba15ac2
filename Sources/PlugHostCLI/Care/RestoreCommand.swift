internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost restore`
struct RestoreCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a backup into a state folder that has no state.",
        usage: "plughost restore <file> [<options>]",
        discussion: """
            The host's key must be in place first: as 'key' in the state folder, or where
            PLUGHOST_KEY_FILE says. The backup is checked before anything is written.

            Records delivered since the backup are read and sent again; the PDAs recognise
            them by their '_id', so nothing is stored twice. If a service issues a new
            token with each use, people whose tokens were renewed since the backup may have
            to connect again.

            Never run two hosts with the same state: stop the old one first.

            Example:
              install -D -m 600 saved-key /var/lib/plughost/key
              plughost restore plughost.db --state /var/lib/plughost
            """
    )

    @Argument(help: ArgumentHelp("What 'plughost backup' wrote.", valueName: "file"))
    var file: String

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object: folder, connections.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let folder = try state.folder(context)
        let connections = try await SQLiteStore.restore(
            from: file,
            to: folder,
            keyFile: context.environment["PLUGHOST_KEY_FILE"],
            clock: context.clock
        )
        answers(in: context).one(
            .members(("folder", .text(folder)), ("connections", .integer(connections))),
            text: "restored \(connections) connections into \(DisplayText.escaped(folder))\n"
        )
        return .done
    }
}
