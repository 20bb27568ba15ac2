internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda data get`
struct PDADataGetCommand: PDACallCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints records of an endpoint.",
        discussion: """
            Prints a table on a terminal; otherwise, and with --json, one line of JSON
            per record: {"endpoint", "recordId", "data"}. A PDA gives at most 1,000
            records at once, or as many as --take allows. --all reads all of them, in
            pages, and needs --order-by.
            """
    )

    @Argument(help: ArgumentHelp("Such as notes/mine.", valueName: "namespace/endpoint"))
    var endpoint: String

    @OptionGroup var access: PDAAccess

    @Option(help: ArgumentHelp("A field of the data, with dots for nested ones.", valueName: "field"))
    var orderBy: String?

    @Flag(help: "Sort in descending order.")
    var descending = false

    @Option(help: ArgumentHelp("How many to skip.", valueName: "n"))
    var skip: Int?

    @Option(help: ArgumentHelp("How many at most.", valueName: "n"))
    var take: Int?

    @Flag(help: "Read all records, each once.")
    var all = false

    @Flag(help: "Print one line of JSON per record.")
    var json = false

    func validate() throws {
        if all, orderBy == nil {
            throw ValidationError("--all needs --order-by with a field that differs between records")
        }
        if all, skip != nil || take != nil { throw ValidationError("--all cannot be used with --skip or --take") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let records = try await access.withClient(in: context) { client throws(PDAError) in
            let ordering: PropertyQuery.Ordering? = descending ? .descending : nil
            guard all, let orderBy else {
                let query = DataQuery(orderBy: orderBy, ordering: ordering, skip: skip, take: take)
                return try await client.records(at: endpoint, query)
            }
            return try await client.allRecords(at: endpoint, orderedBy: orderBy, ordering: ordering ?? .ascending)
        }
        return answers(in: context)
            .list(records, ["record", "data"], limits: [36, 200]) { [$0.recordID ?? "-", $0.data.compactText] }
    }
}
