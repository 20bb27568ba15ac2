internal import ArgumentParser

/// `plughost singer`
struct SingerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "singer",
        abstract: "Makes plugs from programs that write Singer messages (taps).",
        discussion: """
            Such a program reads a plug's source in place of requests that the host sends:
            the plug names it under 'exec'. It runs in a sandbox.
            """,
        subcommands: [SingerDiscoverCommand.self]
    )
}
