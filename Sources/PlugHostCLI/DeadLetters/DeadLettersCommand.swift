internal import ArgumentParser

/// `plughost deadletters`
struct DeadLettersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deadletters",
        abstract: "Records that could not be delivered, with the reason of each.",
        discussion: """
            They stay until one of these commands, or the erasure of their connection,
            removes them.

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
    @Argument(help: ArgumentHelp("Their numbers, as 'list' shows them.", valueName: "id"))
    var ids: [Int64] = []

    @Flag(help: "All of them, or all that --connection and --stream leave.")
    var all = false

    @OptionGroup var scope: StreamScope

    func validate() throws {
        if ids.isEmpty, !all { throw ValidationError("name dead letters by their numbers, or say --all") }
        if !ids.isEmpty, all { throw ValidationError("numbers and --all contradict each other") }
        if !ids.isEmpty, scope.connection != nil || scope.stream != nil {
            throw ValidationError("--connection and --stream go with --all; a number names one dead letter anyway")
        }
    }
}
