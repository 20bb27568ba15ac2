internal import ArgumentParser

/// `plughost`
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plughost",
        abstract: "Runs data plugs: fetches a person's data from an API and writes it to their PDA.",
        discussion: """
            Examples:
              plughost demo                                   see it work, on this machine alone
              plughost validate plug.yaml                     find every mistake of a manifest
              plughost run plug.yaml --pda https://you.example --token-file token
              plughost sandbox                                a PDA on this machine, with a page to look at

            Answers go to stdout, everything else to stderr.

            Exit codes:
                0  done                                       70  a bug in plughost
                1  it ran, and something failed               75  try later; nothing is lost
               64  the command line is wrong                  77  authorisation is missing or expired
               65  data does not fit the manifest             78  the manifest or configuration is invalid
               69  the source or PDA cannot be reached   130/143  interrupted, terminated
            """,
        version: "plughost \(PlugHostProgram.version)",
        subcommands: [
            ValidateCommand.self, SandboxCommand.self, JQCommand.self, ExplainCommand.self,
        ]
    )
}
