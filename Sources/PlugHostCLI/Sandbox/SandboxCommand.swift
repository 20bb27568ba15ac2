internal import ArgumentParser

/// `plughost sandbox`
struct SandboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "A PDA on this machine, with a web page that shows what arrived.",
        usage: "plughost sandbox [<options>]\n       plughost sandbox token [<options>] <plug>",
        discussion: """
            Examples:
              plughost sandbox --plugs plug.yaml
              plughost sandbox token plug.yaml --out token
              plughost run plug.yaml --pda http://127.0.0.1:8899 --token-file token

            It listens on 127.0.0.1:8899. 'plughost sandbox run --help' shows its
            options; the word 'run' is optional.
            """,
        subcommands: [SandboxRunCommand.self, SandboxTokenCommand.self],
        defaultSubcommand: SandboxRunCommand.self
    )
}
