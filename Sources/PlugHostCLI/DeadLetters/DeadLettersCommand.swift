internal import ArgumentParser

/// `plughost deadletters`
struct DeadLettersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deadletters",
        abstract: "Records that could not be delivered, with their reasons.",
        discussion: """
            They stay until one of these commands removes them, or until their
            connection is erased.

            Examples:
              plughost deadletters list
              plughost deadletters show 3
              plughost deadletters retry --all --connection ada-work
              plughost deadletters drop 3 4
            """,
        subcommands: [
            DeadLettersListCommand.self, DeadLettersShowCommand.self, DeadLettersRetryCommand.self,
            DeadLettersDropCommand.self,
        ]
    )
}

/// IDs, or `--all` within a scope: exactly one of the two.
struct DeadLetterChoice: ParsableArguments {
    @Argument(help: ArgumentHelp("The numbers, as 'list' shows them.", valueName: "id"))
    var ids: [Int64] = []

    @Flag(help: "All, or all that match --connection and --stream.")
    var all = false

    @OptionGroup var scope: StreamScope

    func validate() throws { try scope.check(ids, all: all, one: "dead letter", many: "dead letters") }
}
