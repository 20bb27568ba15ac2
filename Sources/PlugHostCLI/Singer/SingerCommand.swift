internal import ArgumentParser

/// `plughost singer`
struct SingerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "singer",
        abstract: "Makes plugs of programs that speak the messages of Singer (taps).",
        discussion: """
            Such a program reads the source of a plug in the place of requests: the plug
            names it under 'exec'. It runs in a sandbox.
            """,
        subcommands: [SingerDiscoverCommand.self]
    )
}
