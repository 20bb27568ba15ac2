internal import ArgumentParser

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
