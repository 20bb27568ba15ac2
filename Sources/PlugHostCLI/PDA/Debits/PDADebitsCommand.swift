internal import ArgumentParser

/// `plughost pda debits`
struct PDADebitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "debits",
        abstract: "Data debits: what others may read, and what they receive.",
        discussion: """
            An application that wants data creates a data debit and reads its values.
            The owner enables and disables it, here or at the address that 'url' prints.
            """,
        subcommands: [
            PDADebitsListCommand.self, PDADebitsShowCommand.self, PDADebitsCreateCommand.self,
            PDADebitsUpdateCommand.self, PDADebitsEnableCommand.self, PDADebitsDisableCommand.self,
            PDADebitsValuesCommand.self, PDADebitsURLCommand.self,
        ]
    )
}
