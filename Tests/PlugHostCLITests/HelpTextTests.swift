import ArgumentParser
import Testing

@testable import PlugHostCLI

struct HelpTextTests {
    @Test func noLineOfHelpIsWiderThanATerminal() {
        let commands = Self.commands(RootCommand.self)
        #expect(commands.count > 6)
        for command in commands {
            let lines = command.configuration.discussion.split(separator: "\n")
            #expect(lines.filter { $0.count > 80 } == [], "\(command)")
            let help = RootCommand.helpMessage(for: command, columns: 80).split(separator: "\n")
            #expect(lines.filter { !help.contains($0) } == [], "\(command) has lines that are broken")
            // The parser writes the usage, and a terminal breaks it.
            #expect(help.filter { $0.count > 80 && !$0.hasPrefix("USAGE:") } == [], "\(command)")
        }
    }

    @Test func everyCommandSaysWhatItDoes() {
        for command in Self.commands(RootCommand.self) {
            #expect(command.configuration.abstract.hasSuffix("."), "\(command)")
            #expect(!command.configuration.discussion.isEmpty, "\(command)")
        }
    }

    private static func commands(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands($0) }
    }
}
