internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// A record in the body of a batch or an update, with its shape checked.
private struct BodyRecord: Sendable {
    var endpoint: String
    var id: String?
    var data: JSONView
    var links: [BodyRecord]

    var namespace: Substring { endpoint.prefix { $0 != "/" } }
    /// Its namespace and those of its links, at any depth.
    var namespaces: [Substring] { [namespace] + links.flatMap(\.namespaces) }

    /// Reads the records of an array.
    static func records(in body: JSONView, at path: String = "obj") throws(ShapeRefusal) -> [BodyRecord] {
        guard let elements = body.elements else { throw ShapeRefusal(path: path, code: "error.expected.jsarray") }
        var records: [BodyRecord] = []
        for (at, element) in elements.enumerated() { records.append(try BodyRecord(element, at: "\(path)[\(at)]")) }
        return records
    }

    private init(_ view: JSONView, at path: String) throws(ShapeRefusal) {
        guard let endpoint = view["endpoint"] else {
            throw ShapeRefusal(path: "\(path).endpoint", code: "error.path.missing")
        }
        guard let text = endpoint.text else {
            throw ShapeRefusal(path: "\(path).endpoint", code: "error.expected.jsstring")
        }
        guard DataPath.isEndpoint(text) else {
            throw ShapeRefusal(path: "\(path).endpoint", code: "Endpoint invalid")
        }
        guard let data = view["data"] else { throw ShapeRefusal(path: "\(path).data", code: "error.path.missing") }
        self.endpoint = text
        self.data = data
        if let id = view["recordId"], id.kind != .null {
            guard let text = id.text, UUIDText.isValid(text) else {
                throw ShapeRefusal(path: "\(path).recordId", code: "error.expected.uuid")
            }
            self.id = text.lowercased()
        }
        if let links = view["links"], links.kind != .null {
            self.links = try Self.records(in: links, at: "\(path).links")
        } else {
            links = []
        }
    }

    /// Its forms, with one level of links.
    func incoming(_ former: inout RecordFormer) -> IncomingRecord {
        var record = IncomingRecord(endpoint: endpoint, form: form(&former))
        for link in links { record.links.append(IncomingRecord(endpoint: link.endpoint, form: link.form(&former))) }
        return record
    }

    func form(_ former: inout RecordFormer) -> RecordForm {
        data.document.withCursor { former.form($0, data.node) }
    }
}

extension PDAServer {
    /// The reference server reduces an empty list, and fails.
    private struct NothingToDo: Error {}
    /// An update without permission is an exception that is not mapped, neither in the reference server nor here.
    private struct NotMapped: Error {}

    /// POST `/data-batch`
    func batch(_ request: ServedRequest) async throws -> Route.Reply {
        let body = try await BodyRecord.records(in: request.json().root)
        return { [store, clock] caller in
            guard !body.isEmpty else { throw NothingToDo() }
            guard body.flatMap(\.namespaces).allSatisfy({ caller.mayWrite($0) }) else {
                throw Refusal.application(403, "Forbidden", PDACause.batchForbidden)
            }
            var former = RecordFormer()
            let records = body.map { $0.incoming(&former) }
            do {
                let inserted = try await store.insert(
                    records,
                    skipsErrors: false,
                    date: clock.milliseconds,
                    owner: caller.user.number
                )
                return Self.answer(inserted, isArray: true)
            } catch let failure as InsertFailure {
                let cause = failure == .duplicate ? PDACause.batchDuplicate : PDACause.batchNotInsertable
                throw Refusal.application(400, "Bad Request", cause)
            }
        }
    }

    /// PUT `/data`. Unlike the reference server, it also checks the namespace that a record is in, not only the one in the body:
    /// a record that the caller may not write is missing.
    func update(_ request: ServedRequest) async throws -> Route.Reply {
        let body = try await BodyRecord.records(in: request.json().root)
        return { [store, clock] caller in
            guard !body.isEmpty else { throw NothingToDo() }
            guard body.allSatisfy({ caller.mayWrite($0.namespace) }) else { throw NotMapped() }
            var former = RecordFormer()
            let changes = body.compactMap { record in record.id.map { (id: $0, form: record.form(&former)) } }
            guard changes.count == body.count,
                try await store.update(
                    changes,
                    of: caller.user.number,
                    mayWrite: { caller.mayWrite($0) },
                    date: clock.milliseconds
                )
            else { throw Refusal.application(400, "Data Missing", PDACause.updateMissing) }
            var echo: [UInt8] = [UInt8(ascii: "[")]
            for (at, record) in body.enumerated() {
                if at > 0 { echo.append(UInt8(ascii: ",")) }
                // The request's own JSON is returned, not the stored form.
                var data: [UInt8] = []
                record.data.value.write(to: &data)
                PDARecord.write(endpoint: record.endpoint, recordID: record.id ?? "", data: data, to: &echo)
            }
            echo.append(UInt8(ascii: "]"))
            return Answer(201, body: echo)
        }
    }
}
