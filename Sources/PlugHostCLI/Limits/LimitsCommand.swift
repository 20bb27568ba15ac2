internal import ArgumentParser

/// `plughost limits`
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Remembered limits: rates, waits that sources asked for, failing hosts.",
        discussion: """
            Examples:
              plughost limits list
              plughost limits forget 'host pda ada.example:443'
            """,
        subcommands: [LimitsListCommand.self, LimitsForgetCommand.self]
    )
}
