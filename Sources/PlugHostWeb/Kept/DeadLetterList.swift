internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// A page of the dead letters of a connection.
struct DeadLetterList: KeptRecordList {
    static let words = "dead letters"
    static let retriesAll = false

    let title = "Dead letters"
    let consequence = "The records are erased unsent, and later runs do not send them either. This cannot be undone."
    private let letters: [StoredDeadLetter]
    private let next: Int64?

    init(_ request: HostRequest, in store: any PlugStore) async throws {
        let connection = try request.namedConnection().id
        let after = request.queried("after").flatMap { Int64($0) } ?? 0
        // One extra tells whether there is another page.
        let filter = DeadLetterFilter(connection: connection, after: after, limit: KeptRecordPage.size + 1)
        let found = try await store.deadLetters(filter)
        letters = Array(found.prefix(KeptRecordPage.size))
        next = found.count > letters.count ? letters.last?.id : nil
    }

    func content(for request: HostRequest) -> HTML {
        if letters.isEmpty { return "<p>There are no dead letters.</p>" }
        let rows = letters.map { stored -> (id: Int64, name: String, cells: HTML) in
            let cells: HTML = """
                <td>\(Words.stream(stored.stream))</td><td>\(Words.time(stored.at))</td><td><code>\(stored.letter.code)</code>
                <span class="quiet">\(stored.letter.shownReason)</span></td>
                """
            return (stored.id, "\(stored.id)", cells)
        }
        return """
            <p class="quiet">To see what is in a record, use the shell: <code>plughost deadletters show NUMBER</code>.</p>
            \(Self.form(request, columns: ["Number", "Stream", "When", "Why"], rows: rows))
            \(Self.more(request, after: next))
            """
    }

    func own(_ ids: [Int64]) -> [Int64] { ids.filter { id in letters.contains { $0.id == id } } }

    func retry(_ ids: [Int64], _ access: ResendAccess) async throws -> Resent {
        var counts = RetryCounts()
        do {
            let meant = letters.filter { ids.contains($0.id) }
            try await DeadLetterRetry(access).send(meant, counting: &counts)
        } catch  where counts.delivered + counts.duplicates > 0 {
            let text = "\(Self.text(counts)) Then: \(StoreErrors.plugError(error).message.sentence)"
            return Resent(text: text, isComplete: false)
        }
        return Resent(text: Self.text(counts), isComplete: counts.kept == 0)
    }

    private static func text(_ counts: RetryCounts) -> String {
        let parts = [
            (counts.delivered, "delivered"), (counts.duplicates, "already in the PDA"),
            (counts.refused, "refused again"),
            (counts.raw, "cannot be sent: the plug's manifest did not accept them"), (counts.undelivered, "not sent"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ").sentence
    }

    func drop(_ ids: [Int64], _ kept: KeptRecords) async throws -> Int { try await kept.drop(deadLetters: ids) }
}
