internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// The oldest batches that wait for the PDA of a connection.
struct OutboxList: KeptRecordList {
    static let words = "waiting batches"
    /// Batches are sent in order: there is nothing to choose.
    static let retriesAll = true

    let title = "Outbox"
    let consequence = """
        The records are erased unsent, and later runs do not send them either. The shell can keep a copy first: 'plughost outbox \
        export'. This cannot be undone.
        """
    private let batches: [WaitingBatch]
    private let waiting: [WaitingOutbox]

    init(_ request: HostRequest, in store: any PlugStore) async throws {
        let connection = try request.namedConnection().id
        waiting = try await store.outboxes(of: connection)
        batches = try await store.waitingBatches(of: connection, limit: KeptRecordPage.size)
    }

    func content(for request: HostRequest) -> HTML {
        if waiting.isEmpty { return "<p>Nothing is waiting.</p>" }
        let rows = batches.map { batch -> (id: Int64, name: String, cells: HTML) in
            let cells: HTML = """
                <td>\(Words.stream(batch.stream))</td><td>\(Words.time(batch.at))</td>\
                <td>\(batch.records.map { Words.number($0) } ?? "")</td><td>\(Words.bytes(batch.bytes))</td>
                """
            return (batch.id, "\(batch.id)", cells)
        }
        let count = waiting.reduce(0) { $0 + $1.size.batches }
        let rest: HTML? =
            count > batches.count
            ? "<p class=\"quiet\">These are the oldest of \(Words.number(count)) batches.</p>" : nil
        return """
            <p class="quiet">They are sent in their order, at the latest by the next run.</p>
            \(rest)
            \(Self.form(request, columns: ["Number", "Stream", "Since", "Records", "Size"], rows: rows))
            """
    }

    func own(_ ids: [Int64]) -> [Int64] { ids.filter { id in batches.contains { $0.id == id } } }

    func retry(_ ids: [Int64], _ access: ResendAccess) async throws -> Resent {
        let (tally, error) = try await OutboxRetry(access).run()
        let parts = [
            (tally.drained, "now in the PDA"), (tally.deadLetters, "became dead letters"),
            (tally.waiting, "wait still"),
        ]
        let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let told = [text.isEmpty ? nil : text.sentence, error?.message.sentence].compactMap { $0 }
        return Resent(text: told.joined(separator: " "), isComplete: error == nil && tally.deadLetters == 0)
    }

    func drop(_ ids: [Int64], _ kept: KeptRecords) async throws -> Int { try await kept.drop(batches: ids) }
}
