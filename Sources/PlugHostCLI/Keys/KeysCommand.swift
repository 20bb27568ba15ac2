internal import ArgumentParser

/// `plughost keys`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "The key that the state is encrypted with.",
        discussion: """
            Examples:
              plughost keys rotate
              plughost keys rotate --new-key-file /etc/plughost/key.new
            """,
        subcommands: [KeysRotateCommand.self]
    )
}
