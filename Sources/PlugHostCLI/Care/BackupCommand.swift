internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost backup`
struct BackupCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the whole state into a file, even while a host runs.",
        usage: "plughost backup <file> [<options>]",
        discussion: """
            The file is a snapshot of every connection with its cursors, ledger, outbox,
            dead letters and tokens. Tokens and records in it are encrypted; names of
            connections and addresses of PDAs are not.

            The host's key is not in it, so that a thief needs both. Keep a copy of the key
            in another place: without it no backup can be restored.

            Examples:
              plughost backup /backup/plughost-$(date +%F).db
              plughost restore /backup/plughost-2026-11-26.db --state /var/lib/plughost
            """
    )

    @Argument(help: ArgumentHelp("The file to write; it must not exist.", valueName: "file"))
    var file: String

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object: file, bytes, connections, key_file.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let receipt = try await state.withStoreToRead(context) { try await $0.backUp(to: file) }
        answers(in: context).one(
            .members(
                ("file", .text(file)),
                ("bytes", .integer(receipt.bytes)),
                ("connections", .integer(receipt.connections)),
                ("key_file", .text(receipt.keyFile))
            ),
            text: """
                wrote \(DisplayText.escaped(file)): \(receipt.connections) connections, \(HumanSize.text(receipt.bytes))
                its key is not in it: keep a copy of \(DisplayText.escaped(receipt.keyFile)) in another place

                """
        )
        return .done
    }
}
