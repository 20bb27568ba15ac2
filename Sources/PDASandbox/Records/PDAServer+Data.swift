internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// GET `/data/NAMESPACE/ENDPOINT`
    func read(_ path: DataPath, _ request: ServedRequest) throws -> Route.Reply {
        let window = try Self.window(request)
        let query = EndpointQuery(endpoint: path.description)
        let known: Set = ["orderBy", "ordering", "skip", "take"]
        let filter = request.query.first { !known.contains($0.name) }.map { first in
            RecordFilter(key: first.name, values: request.query.filter { $0.name == first.name }.map(\.value))
        }
        return { [store] caller in
            // PostgreSQL refuses negative bounds, which nothing before it checks.
            guard window.skip >= 0, window.take ?? 0 >= 0 else { throw NegativeBound() }
            var records = try await store.evaluate([query], window)
            if let filter {
                records = try records.filter { try filter.matches(JSONValue(parsing: $0.data, limits: .record)) }
            }
            return Answer(body: Self.written(records))
        }
    }

    private struct NegativeBound: Error {}

    /// POST `/data/NAMESPACE/ENDPOINT`: an array is many records, anything else is one.
    func write(_ path: DataPath, _ request: ServedRequest) async throws -> Route.Reply {
        let skipsErrors = try request.boolean("skipErrors") ?? false
        let document = try await request.json()
        return { [store, clock] caller in
            let (records, isArray) = Self.incoming(document, path.description)
            do {
                let inserted = try await store.insert(
                    records,
                    skipsErrors: skipsErrors && isArray,
                    date: clock.milliseconds,
                    owner: caller.user.number
                )
                return Self.answer(inserted, isArray: isArray)
            } catch let failure as InsertFailure {
                let cause = failure == .duplicate ? PDACause.duplicate : PDACause.notInsertable
                throw Refusal.application(400, "Bad Request", cause)
            }
        }
    }

    private static func incoming(_ document: JSONDocument, _ endpoint: String) -> ([IncomingRecord], isArray: Bool) {
        document.withCursor { cursor in
            var former = RecordFormer()
            guard cursor.kind(0) == .array else {
                return ([IncomingRecord(endpoint: endpoint, form: former.form(cursor, 0))], false)
            }
            var records: [IncomingRecord] = []
            var at = cursor.first(in: 0)
            while let element = at {
                records.append(IncomingRecord(endpoint: endpoint, form: former.form(cursor, element)))
                at = cursor.next(after: element)
            }
            return (records, true)
        }
    }

    /// DELETE `/data/NAMESPACE/ENDPOINT`: succeeds even if it is empty.
    func deleteAll(_ path: DataPath) -> Route.Reply {
        { [store] caller in
            try await store.deleteAll(at: path.description)
            return .message("All records deleted")
        }
    }

    /// DELETE `/data?records=ID&records=ID`
    func deleteRecords(_ request: ServedRequest) throws -> Route.Reply {
        let ids = try request.identifiers("records")
        return { [store] caller in
            // A user's own token needs the gate only: the record's owner counts, not its namespace.
            switch try await store.delete(
                ids,
                of: caller.user.number,
                mayWrite: { caller.isPlain || caller.mayWrite($0) }
            ) {
            case .done: return .message("All records deleted")
            case .missing: throw Refusal.application(400, "Data Missing", PDACause.deleteMissing)
            case .forbidden: throw Refusal.application(403, "Forbidden", PDACause.deleteForbidden)
            }
        }
    }

    /// GET `/data/sources`
    var sources: Route.Reply {
        { [store] caller in
            var sources = JSONObject()
            for count in try await store.counts() {
                let namespace = JSONString(String(count.endpoint.prefix { $0 != "/" }))
                let endpoint = JSONValue.text(String(count.endpoint.dropFirst(namespace.text.count + 1)))
                sources[namespace] = .array((sources[namespace]?.elements ?? []) + [endpoint])
            }
            return Answer(.object(sources))
        }
    }

    /// GET `/data-record/ID`. Unlike the reference server's, it requires the owner or `namespaceread`; a record that the caller
    /// may not read is reported like a missing one.
    func record(_ id: String) throws -> Route.Reply {
        guard UUIDText.isValid(id) else {
            throw Refusal.badRequest("Cannot parse parameter recordId as UUID: Invalid UUID string: \(id)")
        }
        return { [store] caller in
            guard let record = try await store.record(id), record.owner == caller.user.number,
                caller.mayRead(record.namespace)
            else {
                throw Refusal.application(400, "Data Missing", PDACause.recordMissing)
            }
            var body: [UInt8] = []
            PDARecord.write(endpoint: record.endpoint, recordID: record.id, data: record.data.utf8, to: &body)
            return Answer(body: body)
        }
    }

    /// POST `/data-link?records=ID&records=ID`. In the reference server an unknown id violates a constraint, which is not mapped.
    func link(_ request: ServedRequest) throws -> Route.Reply {
        let ids = try request.identifiers("records")
        return { [store] caller in
            let result = try await store.link(ids, of: caller.user.number) { caller.isPlain || caller.mayWrite($0) }
            switch result {
            case .done: return Answer.message("Grouping registered", status: 201)
            case .missing: throw LinkedRecordMissing()
            case .forbidden: throw Refusal.forbidden
            }
        }
    }

    private struct LinkedRecordMissing: Error {}

    // MARK: Bodies

    /// What was stored, read back: one object, or an array in the order of the request. `links` is always present.
    static func answer(_ inserted: [SandboxStore.Inserted], isArray: Bool) -> Answer {
        var body: [UInt8] = []
        body.reserveCapacity(inserted.reduce(2) { $0 + $1.record.data.utf8.count + 160 })
        if isArray { body.append(UInt8(ascii: "[")) }
        for (at, stored) in inserted.enumerated() {
            if at > 0 { body.append(UInt8(ascii: ",")) }
            let links = stored.links.map { link in
                var bytes: [UInt8] = []
                PDARecord.write(endpoint: link.endpoint, recordID: link.id, data: link.data.utf8, to: &bytes)
                return bytes
            }
            let record = stored.record
            PDARecord.write(
                endpoint: record.endpoint,
                recordID: record.id,
                data: record.data.utf8,
                links: links,
                to: &body
            )
        }
        if isArray { body.append(UInt8(ascii: "]")) }
        return Answer(201, body: body)
    }
}
