internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda applications list`
struct PDAApplicationsListCommand: PDACallCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists applications and plugs with their states.",
        discussion: """
            Prints a table on a terminal; otherwise, and with --json, one line of JSON
            each. The state is connected, fetching, needsUpdating, failing or
            notConnected.
            """
    )

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON each.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let applications = try await access.withClient(in: context) { client throws(PDAError) in
            try await client.applications()
        }
        return answers(in: context)
            .list(applications, ["id", "kind", "state", "name"], limits: [30, 10, 14, 40]) { object in
                [
                    object.application.id, object.application.kind.kind.rawValue, object.state.rawValue,
                    object.application.info.name,
                ]
            }
    }
}
