internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage

/// Finds connections by their accounts, without opening all of them for each call.
///
/// It remembers a hash of each connection's account as of its last scan of a plug. For each call it adds the connections created
/// or connected since. If it does not know an account, it scans all of them again, provided that twenty times the duration of a
/// scan has passed. What it finds is checked against the store.
actor AccountIndex {
    private struct Plug {
        var connections: [Int: [ConnectionID]] = [:]
        /// The earliest time to scan again; `nil` before the first scan.
        var notBefore: Int64?
        var building: Task<Void, any Error>?
        /// The last change up to which it knows the connections.
        var place: Int64?
    }

    /// A minute, in microseconds.
    private static let shortest: Int64 = 60_000_000

    private let store: any PlugStore
    private let clock: any HostClock
    private var plugs: [String: Plug] = [:]

    init(_ store: any PlugStore, clock: any HostClock) { (self.store, self.clock) = (store, clock) }

    /// The connections of a plug that have an account.
    func connections(of plug: String, _ webhook: Webhook, named account: String) async throws -> [ConnectionID] {
        // Another connection for the same account may have been added since.
        if plugs[plug]?.place != nil { try await addChanged(plug, webhook) }
        let found = try await matching(plug, webhook, account)
        if !found.isEmpty { return found }
        if let building = plugs[plug]?.building {
            // All callers that arrive meanwhile wait for this scan.
            try await building.value
        } else {
            if clock.steady().microseconds < plugs[plug]?.notBefore ?? .min { return [] }
            let building = Task(executorPreference: preferredTaskExecutor) { try await self.build(plug, webhook) }
            plugs[plug, default: Plug()].building = building
            defer { plugs[plug]?.building = nil }
            try await building.value
        }
        return try await matching(plug, webhook, account)
    }

    /// All connections of a plug.
    func connections(of plug: String) async throws -> [ConnectionID] {
        try await store.connections().filter { $0.plug == plug }.map(\.id)
    }

    private func matching(_ plug: String, _ webhook: Webhook, _ account: String) async throws -> [ConnectionID] {
        var found: [ConnectionID] = []
        for connection in plugs[plug]?.connections[account.hashValue] ?? []
        where try await self.account(of: connection, webhook) == account {
            found.append(connection)
        }
        return found
    }

    /// Adds the connections that were created or connected since the last scan.
    private func addChanged(_ plug: String, _ webhook: Webhook) async throws {
        let changed = try await store.connectionsChanged(since: plugs[plug]?.place)
        for connection in changed.connections where connection.plug == plug {
            guard let account = try await account(of: connection.id, webhook) else { continue }
            var known = plugs[plug]?.connections[account.hashValue] ?? []
            if !known.contains(connection.id) { known.append(connection.id) }
            plugs[plug]?.connections[account.hashValue] = known
        }
        plugs[plug]?.place = changed.place
    }

    private func build(_ plug: String, _ webhook: Webhook) async throws {
        let start = clock.steady().microseconds
        // Read first: anything connected meanwhile is scanned again.
        let place = try await store.connectionsChanged(since: nil).place
        var connections: [Int: [ConnectionID]] = [:]
        for connection in try await self.connections(of: plug) {
            guard let account = try await account(of: connection, webhook) else { continue }
            connections[account.hashValue, default: []].append(connection)
        }
        let end = clock.steady().microseconds
        plugs[plug]?.connections = connections
        plugs[plug]?.place = place
        plugs[plug]?.notBefore = end + max(Self.shortest, (end - start) * 20)
    }

    /// The account of a connection; `nil` if unknown.
    private func account(of connection: ConnectionID, _ webhook: Webhook) async throws -> String? {
        switch webhook.account {
        case .label:
            let label = try await store.grant(GrantID(connection: connection, name: ConnectionAccount.label))
            return label.flatMap { try? JSONValue(parsing: $0.content.reveal()) }?["who"]?.stringText
        case .config(let name):
            guard let setup = try await store.setup(of: connection),
                let plan = try? ConnectionPlan(content: setup.content, of: connection)
            else { return nil }
            return plan.config[JSONString(name)].flatMap { $0.isNull ? nil : $0.stringText ?? $0.compactText }
        }
    }
}
