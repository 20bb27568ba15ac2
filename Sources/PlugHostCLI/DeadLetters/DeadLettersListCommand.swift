internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost deadletters list`
struct DeadLettersListCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists dead letters, oldest first, without their content.",
        usage: "plughost deadletters list [<options>]",
        discussion: """
            Prints a table on a terminal. Otherwise it prints one line per dead letter,
            separated by tabs: id, connection, stream, time, code, reason and the
            record's _id. With --json each line is an object: id, connection, stream,
            stage, code, reason, identity, time. A PDA's message may repeat the record's
            content, so only 'show' prints it.

            Examples:
              plughost deadletters list
              plughost deadletters list --connection ada-work --json
            """
    )

    @OptionGroup var scope: StreamScope
    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        var pages = try await DeadLetterPages(scope, in: store)
        var count = 0
        while let page = try await pages.next(), !context.output.isClosed {
            if json {
                for letter in page { context.answer(DeadLetterText.json(letter, withRecord: false)) }
            } else {
                let rows = page.map(DeadLetterText.columns)
                if context.outputIsTerminal {
                    context.output.write(DeadLetterText.table((count == 0 ? [DeadLetterText.header] : []) + rows))
                } else {
                    for row in rows { context.output.write(DeadLetterText.plain(row)) }
                }
            }
            count += page.count
            context.output.flush()
        }
        await store.close()
        if count == 0, !json {
            let such = scope.isEmpty ? "" : "such "
            let folder = DisplayText.escaped(try state.folder(context))
            context.errors.write("there are no \(such)dead letters in \(folder)\n")
        }
        return .done
    }
}
