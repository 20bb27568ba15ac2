internal import ArgumentParser

/// `plughost singer`
struct SingerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "singer",
        abstract: "Makes plugs of programs that speak the messages of Singer (taps).",
        subcommands: [SingerDiscoverCommand.self]
    )
}
