internal import ArgumentParser
internal import PlugCore

/// A first word that is not a command: reported with the command that was probably intended.
enum UnknownCommand {
    static func report(_ arguments: [String], in context: CommandContext) -> ExitStatus? {
        guard let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return nil }
        let names = RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.contains(word) else { return nil }
        let meant = Spelling.question(word, in: names)
        let help = meant ?? context.name.shown("'plughost --help' lists the commands")
        context.errors.write("error: '\(DisplayText.escaped(word))' is not a command\n  help: \(help)\n")
        return .usage
    }
}
