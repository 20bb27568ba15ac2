internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda data get`
struct PDADataGetCommand: HostCommand {
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

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

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
        return PDAAnswer(context: context, isJSON: json)
            .list(records, ["record", "data"], limits: [36, 200]) { [$0.recordID ?? "-", $0.data.compactText] }
    }
}

/// `plughost pda data add`
struct PDADataAddCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Stores records: all of them, or none.",
        discussion: """
            The file holds a value, a list of values, or one value per line; - is stdin.
            --skip-errors stores what the PDA accepts and lists the values that it did
            not return: they were stored before, or were not accepted. With --json:
            {"stored", "not_returned"}, the second with positions from 0.
            """
    )

    @Argument(help: ArgumentHelp("Such as notes/mine.", valueName: "namespace/endpoint"))
    var endpoint: String

    @Argument(help: ArgumentHelp("A file with JSON.", valueName: "file"))
    var file = "-"

    @OptionGroup var access: PDAAccess

    @Flag(help: "Store what can be stored.")
    var skipErrors = false

    @Flag(help: "Print one JSON object.")
    var json = false

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let given = try PDAInput.values(file)
        let values = given.count == 1 ? given[0].elements ?? given : given
        let created = try await access.withClient(in: context) { client throws(PDAError) in
            try await client.create(values, at: endpoint, skipErrors: skipErrors)
        }
        let missing = created.notReturned
        let stored = values.count - missing.count
        var sentence = "stored \(stored) of \(values.count) in \(endpoint)"
        if !missing.isEmpty {
            sentence += "; not returned: \(missing.map { String($0) }.joined(separator: ", "))"
        }
        PDAAnswer(context: context, isJSON: json).done(
            sentence,
            [("stored", .integer(stored)), ("not_returned", .array(missing.map { .integer($0) }))]
        )
        return missing.isEmpty ? .done : .failed
    }
}

/// `plughost pda data update`
struct PDADataUpdateCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Replaces the data of records: all of them, or none.",
        discussion: """
            The file holds records as 'get' prints them, {"endpoint", "recordId",
            "data"}: one, a list, or one per line; - is stdin. Prints the changed
            records.
            """
    )

    @Argument(help: ArgumentHelp("A file with JSON.", valueName: "file"))
    var file = "-"

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON per record.")
    var json = false

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let given = try PDAInput.values(file)
        let values = given.count == 1 ? given[0].elements ?? given : given
        let changed = try await access.withClient(in: context) { client throws(PDAError) in
            var records: [DataRecord] = []
            for value in values { records.append(try DataRecord(json: value)) }
            return try await client.update(records)
        }
        return PDAAnswer(context: context, isJSON: json)
            .list(changed, ["record", "data"], limits: [36, 200]) { [$0.recordID ?? "-", $0.data.compactText] }
    }
}

/// `plughost pda data delete`
struct PDADataDeleteCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes records by their ids, or all records of an endpoint.",
        discussion: """
            Asks for confirmation on a terminal; elsewhere it needs --yes. With --json:
            {"deleted"}, the number of records, or null for a whole endpoint.
            """
    )

    @Argument(help: ArgumentHelp("All records of exactly this endpoint.", valueName: "namespace/endpoint"))
    var endpoint: String?

    @Option(help: ArgumentHelp("A record's id. Repeatable.", valueName: "id"))
    var id: [String] = []

    @OptionGroup var access: PDAAccess

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Print one JSON object.")
    var json = false

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

    func validate() throws {
        if id.isEmpty == (endpoint == nil) { throw ValidationError("name records with --id, or one endpoint") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let what =
            endpoint.map { "all records in \(DisplayText.escaped($0))" }
            ?? (id.count == 1 ? "1 record" : "\(id.count) records")
        guard try await Confirmation.isWanted("\(what) would be deleted", yes: yes, in: context) else { return .failed }
        let answer = PDAAnswer(context: context, isJSON: json)
        if let endpoint {
            try await access.withClient(in: context) { client throws(PDAError) in
                try await client.deleteAll(at: endpoint)
            }
            answer.done("deleted \(what)", [("deleted", .null)])
            return .done
        }
        let deletion = try await access.withClient(in: context) { client throws(PDAError) in
            await client.deleteInParts(records: id)
        }
        let count = deletion.deleted.count
        answer.done("deleted \(count) of \(id.count) records", [("deleted", .integer(count))])
        if let error = deletion.error { throw PDAErrorText.plugError(error) }
        return .done
    }
}

/// `plughost pda data sources`
struct PDADataSourcesCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract: "Prints the endpoints that hold data.",
        discussion: "--json prints one object: namespace to endpoints."
    )

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one JSON object.")
    var json = false

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let sources = try await access.withClient(in: context) { client throws(PDAError) in try await client.sources() }
        if json {
            let members = sources.entries.map { name, endpoints in
                (key: JSONString(name), value: JSONValue.array(endpoints.map { .text($0) }))
            }
            context.answer(.object(JSONObject(members)))
            return .done
        }
        let lines = sources.entries.flatMap { name, endpoints in endpoints.map { "\(name)/\($0)" } }.sorted()
        for line in lines { context.output.write(DisplayText.escaped(line) + "\n") }
        return .done
    }
}
