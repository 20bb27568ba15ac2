internal import LosslessJSON
internal import PDAWire

extension PDAServer {
    /// POST `/combinator/NAME`
    func setCombinator(_ name: String, _ request: ServedRequest) async throws -> Route.Reply {
        let body = ShapeReader(try await request.json().root.value)
        let queries = try body.elements().map { try EndpointQuery($0) }
        return { [store] caller in
            try await store.setCombinator(name, queries)
            return Answer.message("Combinator \(name) registered", status: 201)
        }
    }

    /// GET `/combinator/NAME`: any failure is reported as not found.
    func readCombinator(_ name: String, _ request: ServedRequest) throws -> Route.Reply {
        let window = try Self.window(request)
        return { [store] caller in
            let unknown = Refusal.application(404, "Combinator Not Found", "Combinator \(name) not found")
            guard let queries = try await store.combinator(name),
                let found = try? await store.evaluate(queries, window)
            else { throw unknown }
            return Answer(body: Self.written(found))
        }
    }

    /// `orderBy`, `ordering`, `skip` and `take`, 1000 by default.
    static func window(_ request: ServedRequest) throws -> Window {
        Window(
            orderBy: request.parameter("orderBy"),
            isDescending: request.parameter("ordering") == "descending",
            skip: try request.integer("skip") ?? 0,
            take: try request.integer("take") ?? 1000
        )
    }

    /// POST `/data-bundle/NAME`: the table is that of the data debits, whose bundles an owner can thus rewrite.
    func setBundle(_ name: String, _ request: ServedRequest) async throws -> Route.Reply {
        let properties = try await DataBundle.properties(ShapeReader(request.json().root.value))
        return { [store] caller in
            try await store.setBundle(name, properties)
            return Answer.message("Bundle \(name) registered", status: 201)
        }
    }

    /// GET `/data-bundle/NAME`
    func readBundle(_ name: String) -> Route.Reply {
        { [store] caller in
            guard let bundle = try await store.bundle(name),
                let found = try? await store.evaluate(bundle.properties)
            else { throw Self.bundleUnknown(name) }
            var body: [UInt8] = []
            Self.write(found, to: &body)
            return Answer(body: body)
        }
    }

    /// GET `/data-bundle/NAME/structure`
    func bundleStructure(_ name: String) -> Route.Reply {
        { [store] caller in
            guard let bundle = try await store.bundle(name) else { throw Self.bundleUnknown(name) }
            return Answer(bundle.json)
        }
    }

    private static func bundleUnknown(_ name: String) -> Refusal {
        .application(404, "Bundle Not Found", "Bundle \(name) not found")
    }

    // MARK: Bodies

    /// `[RECORD, …]`
    static func written(_ records: [FoundRecord]) -> [UInt8] {
        var bytes: [UInt8] = []
        write(records, to: &bytes)
        return bytes
    }

    private static func write(_ records: [FoundRecord], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (at, record) in records.enumerated() {
            if at > 0 { bytes.append(UInt8(ascii: ",")) }
            record.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// `{PROPERTY: [RECORD, …]}`
    static func write(_ properties: [(name: String, records: [FoundRecord])], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (at, property) in properties.enumerated() {
            if at > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONText.appendQuoted(property.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            write(property.records, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
