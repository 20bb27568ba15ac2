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
