internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost deadletters list`
struct DeadLettersListCommand: AnsweringCommand {
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

    func run(in context: CommandContext) async throws -> ExitStatus {
        let count = try await state.withStoreToRead(context) { store in
            var list = ListPrinter(DeadLetterText.list, answers(in: context))
            var pages = try await DeadLetterPages(scope, in: store)
            var hidden = HiddenRecords(in: store)
            while let page = try await pages.next(), !context.output.isClosed {
                for letter in page { list.add(try await hidden.shown(letter)) }
                list.flush()
            }
            return list.count
        }
        if count == 0, !json {
            let such = scope.isEmpty ? "" : "such "
            let folder = DisplayText.escaped(try state.folder(context))
            context.errors.write("there are no \(such)dead letters in \(folder)\n")
        }
        return .done
    }
}
