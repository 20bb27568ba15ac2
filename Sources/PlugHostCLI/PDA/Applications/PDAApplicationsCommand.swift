internal import ArgumentParser

/// `plughost pda applications`
struct PDAApplicationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "applications",
        abstract: "Applications and plugs: list, set up, disable, get a token.",
        discussion: "For owners, and for applications that may manage others.",
        subcommands: [
            PDAApplicationsListCommand.self, PDAApplicationsShowCommand.self, PDAApplicationsSetUpCommand.self,
            PDAApplicationsDisableCommand.self, PDAApplicationsTokenCommand.self,
        ]
    )
}
