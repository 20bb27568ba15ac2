internal import PlugCore
internal import PlugStorage
internal import Syncing
internal import Throttling

/// What operators see of the whole host: its status, its plugs, its connections, and who has given whom access.
struct OperatorPages: Sendable {
    private let store: any PlugStore
    private let plugs: HostPlugs
    private let throttling: RequestThrottling
    private let clock: any HostClock

    init(_ host: HostServer.Means) {
        (store, plugs, throttling, clock) = (host.store, host.plugs, host.throttling, host.clock)
    }

    var all: [HostRoute] {
        [
            HostRoute(.get, "/operator", [.operator]) { request in
                let overview = try await HostOverview(span(request), in: store, plugs, throttling, clock: clock)
                return request.page(overview.page(for: request))
            },
            HostRoute(.get, "/operator/connections", [.operator]) { request in
                request.page(try await ConnectionList(request, in: store, plugs).page)
            },
            HostRoute(.get, "/operator/plugs", [.operator]) { request in
                let table = try await PlugTable(in: store, plugs, clock: clock)
                return request.page(Page("Plugs of this host", table.html))
            },
            HostRoute(.get, "/operator/plugs/{plug}", [.operator]) { request in
                let plug = request.parameter("plug")
                guard let overview = try await PlugOverview(plug, span(request), in: store, plugs, clock: clock) else {
                    throw HostRefusal.routeUnknown
                }
                return request.page(overview.page)
            },
            HostRoute(.get, "/operator/changes", [.operator]) { try await changes($0) },
        ]
    }

    private func span(_ request: HostRequest) -> TimeSpan {
        request.queried("span").flatMap(TimeSpan.init) ?? .day
    }

    /// Who has given whom access.
    private func changes(_ request: HostRequest) async throws -> HostAnswer {
        let changes = try await store.hostAudit()
        let table: HTML = changes.isEmpty ? "<p>Nothing yet.</p>" : ChangeTable.html(changes, for: .operator)
        return request.page(
            Page(
                "Keys and log-ins",
                """
                <p class="quiet">Keys of the API and links for operators, newest first. Changes of a connection are on
                its own page.</p>
                \(table)
                """
            )
        )
    }
}
