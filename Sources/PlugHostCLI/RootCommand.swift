internal import ArgumentParser

/// `plughost`
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plughost",
        abstract: "Runs data plugs: fetches a person's data from an API and writes it to their PDA.",
        discussion: """
            Examples:
              plughost demo                  see it work, on this machine only
              plughost init books            create a plug
              plughost validate plug.yaml    find all errors in a manifest
              plughost test Plugs            test plugs without a network
              plughost try plug.yaml         read two pages of the source and show them
              plughost connect plug.yaml     ask a person for consent, and keep the tokens
              plughost sandbox               a PDA on this machine, with a web page
              plughost run plug.yaml --pda https://you.example --token-file token
              plughost serve Plugs           run all connections when they are due

            Results go to stdout, everything else to stderr.

            Exit codes:
                0  success
                1  it ran, but something failed
               64  the command line is wrong
               65  the data does not fit the manifest
               69  the source or the PDA is unreachable
               70  a bug in plughost
               75  try later; nothing is lost
               76  as 69 or 75, and ten runs in a row made no progress
               77  authorisation is missing or expired
               78  the manifest or the configuration is invalid
              130  interrupted (143: terminated)
            """,
        version: "plughost \(PlugHostProgram.version)",
        subcommands: [
            DemoCommand.self, InitCommand.self, ImportCommand.self, ValidateCommand.self, TestCommand.self,
            TryCommand.self, RecordCommand.self, SingerCommand.self, ConnectCommand.self, RunCommand.self,
            ServeCommand.self, OperatorCommand.self, APIKeyCommand.self, RunsCommand.self, ConnectionCommand.self,
            OutboxCommand.self,
            DeadLettersCommand.self,
            LimitsCommand.self, StateCommand.self, BackupCommand.self, RestoreCommand.self, KeysCommand.self,
            DoctorCommand.self, ConfigCommand.self, NotifyCommand.self, SandboxCommand.self,
            ApplicationCommand.self, PDACommand.self, JQCommand.self, CatalogueCommand.self, ExplainCommand.self,
            SchemaCommand.self,
            MigrateCommand.self,
        ]
    )
}
