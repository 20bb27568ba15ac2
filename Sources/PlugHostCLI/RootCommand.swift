internal import ArgumentParser

/// `plughost`
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plughost",
        abstract: "Runs data plugs: fetches a person's data from an API and writes it to their PDA.",
        discussion: """
            Examples:
              plughost demo                  see it work, on this machine alone
              plughost validate plug.yaml    find every mistake of a manifest
              plughost test Plugs/*/         test plugs without a network
              plughost sandbox               a PDA on this machine, with a page
              plughost run plug.yaml --pda https://you.example --token-file token

            Answers go to stdout, everything else to stderr.

            Exit codes:
                0  done
                1  it ran, and something failed
               64  the command line is wrong
               65  data does not fit the manifest
               69  the source or the PDA cannot be reached
               70  a bug in plughost
               75  try later; nothing is lost
               77  authorisation is missing or expired
               78  the manifest or the configuration is invalid
              130  interrupted (143: terminated)
            """,
        version: "plughost \(PlugHostProgram.version)",
        subcommands: [
            DemoCommand.self, ValidateCommand.self, TestCommand.self, RunCommand.self, RunsCommand.self,
            ConnectionCommand.self, OutboxCommand.self, DeadLettersCommand.self, LimitsCommand.self, StateCommand.self,
            KeysCommand.self, SandboxCommand.self, ApplicationCommand.self, PDACommand.self, JQCommand.self,
            ExplainCommand.self,
        ]
    )
}
