internal import ArgumentParser

/// `plughost pda`
struct PDACommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pda",
        abstract: "Calls to a PDA: its data, data debits and applications.",
        discussion: """
            The token comes from --token-file or from PLUGHOST_PDA_TOKEN. A newer token
            that the PDA returns is written to the file, so that it stays valid.

            Examples:
              plughost pda login --pda https://you.example --user you --out token
              plughost pda data get notes/mine --pda https://you.example \\
                --token-file token
            """,
        subcommands: [
            PDALoginCommand.self, PDADataCommand.self, PDADebitsCommand.self, PDAApplicationsCommand.self,
        ]
    )
}

/// `plughost pda data`
struct PDADataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "data",
        abstract: "Records: add, get, update, delete, list endpoints.",
        discussion: """
            Examples, with --pda and --token-file as for 'pda':
              plughost pda data add notes/mine note.json
              plughost pda data get notes/mine --order-by at --all
              plughost pda data delete --id 01a1fe17-549d-7a92-9611-d3664fc78f8b
            """,
        subcommands: [
            PDADataGetCommand.self, PDADataAddCommand.self, PDADataUpdateCommand.self, PDADataDeleteCommand.self,
            PDADataSourcesCommand.self,
        ]
    )
}

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

/// `plughost pda applications`
struct PDAApplicationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "applications",
        abstract: "Applications and plugs: list, set up, disable, get a token.",
        discussion: "For owners, and for applications that may manage others.",
        subcommands: [
            PDAApplicationsListCommand.self, PDAApplicationsShowCommand.self, PDAApplicationsSetUpCommand.self,
            PDAApplicationsDisableCommand.self, PDAApplicationsTokenCommand.self,
        ]
    )
}
