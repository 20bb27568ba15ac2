internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Syncing
internal import Throttling

/// A connection's undelivered records, for operators: they can be sent again or erased, as with the shell commands.
///
/// The records' content is not shown: that is left to the shell.
struct KeptRecordRoutes: Sendable {
    private let store: any PlugStore
    private let throttling: RequestThrottling
    private let clock: any HostClock

    /// How long records are sent while a browser waits.
    private static let patience = Duration.seconds(30)
    private static let tooLong = "It took longer than 30 s. What was sent by then counts; the rest is unchanged."

    init(_ host: HostServer.Means) { (store, throttling, clock) = (host.store, host.throttling, host.clock) }

    var all: [HostRoute] {
        [
            HostRoute(.get, "/operator/connections/{connection}/dead-letters", [.operator]) { request in
                try await show(try await DeadLetterList(request, in: store), request, nil)
            },
            HostRoute(.post, "/operator/connections/{connection}/dead-letters", [.operator], body: .form) {
                try await change($0) { try await DeadLetterList($0, in: store) }
            },
            HostRoute(.get, "/operator/connections/{connection}/outbox", [.operator]) { request in
                try await show(try await OutboxList(request, in: store), request, nil)
            },
            HostRoute(.post, "/operator/connections/{connection}/outbox", [.operator], body: .form) {
                try await change($0) { try await OutboxList($0, in: store) }
            },
        ]
    }

    private func show(_ list: some KeptRecordList, _ request: HostRequest, _ notice: Notice?) async throws -> HostAnswer
    {
        let connection = try request.namedConnection()
        let told: HTML? = notice.map { "<p class=\"\($0.style)\" role=\"status\">\($0.text)</p>" }
        var page = Page(
            "\(list.title) of \(connection.id.name)",
            status: notice?.status ?? 200,
            """
            \(told)
            \(list.content(for: request))
            <p><a href="\(ConnectionPath(connection.id))">The connection</a></p>
            """
        )
        page.hasForm = true
        return request.page(page)
    }

    /// The message about what was done.
    private struct Notice {
        var text: String
        var style = "good"
        var status = 200
    }

    private func change<List: KeptRecordList>(
        _ request: HostRequest,
        _ list: (HostRequest) async throws -> List
    ) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        let ids = request.form.filter { $0.name == "id" }.compactMap { Int64($0.value) }
        let before = try await list(request)
        let meant = before.own(Array(Set(ids).prefix(KeptRecordPage.size)).sorted())
        var notice: Notice
        do {
            switch request.field("do") {
            case "retry" where List.retriesAll || !meant.isEmpty:
                let resent = try await sentAgain(meant, before, connection)
                notice = Notice(text: resent.text, style: resent.isComplete ? "good" : "warn")
                try await note("sent \(List.words) again", connection, request)
            case "drop" where !meant.isEmpty && request.field("sure") == nil:
                return confirmation(before, meant, request)
            case "drop" where !meant.isEmpty:
                let count = try await before.drop(meant, KeptRecords(of: connection.id, in: store))
                try await note("erased \(count) of its \(List.words)", connection, request)
                notice = Notice(text: "Erased: \(count).")
            default: notice = Notice(text: "Choose at least one.", style: "bad", status: 422)
            }
        } catch {
            let error = StoreErrors.plugError(error)
            let problem = [error.message.sentence, error.advice?.sentence].compactMap { $0 }.joined(separator: " ")
            notice = Notice(text: problem, style: "bad", status: error.code.text == "state-locked" ? 409 : 422)
        }
        return try await show(try await list(request), request, notice)
    }

    /// Sends again while the browser waits for an answer: what has been sent by then counts.
    private func sentAgain(
        _ ids: [Int64],
        _ list: some KeptRecordList,
        _ connection: Connection
    ) async throws -> Resent {
        // A run of the same connection would send and record the same batches.
        let lease = try await store.lease(connection.id)
        defer { lease.end() }
        let access = try await ResendAccess(
            connection: connection,
            token: nil,
            acceptsForeign: try await ConnectionPlan.acceptsForeignToken(of: connection.id, in: store),
            store: store,
            throttling: throttling,
            clock: clock
        )
        return try await withThrowingTaskGroup(of: Resent?.self) { group in
            group.addTask { try await list.retry(ids, access) }
            group.addTask {
                try? await clock.timeout(after: Self.patience)
                return nil
            }
            // Whichever finishes first ends the other.
            defer { group.cancelAll() }
            if let resent = try await group.next() ?? nil { return resent }
            group.cancelAll()
            do { if let resent = try await group.next() ?? nil { return resent } } catch {
                // It was cancelled: that is not an error of its own.
            }
            return Resent(text: Self.tooLong, isComplete: false)
        }
    }

    private func note(_ what: String, _ connection: Connection, _ request: HostRequest) async throws {
        let change = AuditEntry(at: clock.now(), who: request.visitor.auditName, what: what)
        try await store.noteChange(change, of: connection.id)
    }

    /// Erasing is final, so it needs confirmation.
    private func confirmation(_ list: some KeptRecordList, _ ids: [Int64], _ request: HostRequest) -> HostAnswer {
        let fields = ids.map { id -> HTML in "<input type=\"hidden\" name=\"id\" value=\"\(id)\">" }
        var page = Page(
            "Erase \(ids.count)?",
            """
            <p>\(list.consequence)</p>
            \(Page.form(to: request.path, for: request, """
                <input type="hidden" name="do" value="drop"><input type="hidden" name="sure" value="yes">\(fields.joined())
                <button class="danger">Erase for good</button>
                """))
            <p><a href="\(request.path)">Leave them as they are</a></p>
            """
        )
        page.hasForm = true
        return request.page(page)
    }
}
