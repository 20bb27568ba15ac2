internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda data sources`
struct PDADataSourcesCommand: PDACallCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract: "Prints the endpoints that hold data.",
        discussion: "--json prints one object: namespace to endpoints."
    )

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one JSON object.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let sources = try await access.withClient(in: context) { client throws(PDAError) in try await client.sources() }
        let members = sources.entries.map { name, endpoints in
            (key: JSONString(name), value: JSONValue.array(endpoints.map { .text($0) }))
        }
        let lines = sources.entries.flatMap { name, endpoints in endpoints.map { "\(name)/\($0)" } }.sorted()
        answers(in: context).one(
            .object(JSONObject(members)),
            text: lines.map { DisplayText.escaped($0) + "\n" }.joined()
        )
        return .done
    }
}
