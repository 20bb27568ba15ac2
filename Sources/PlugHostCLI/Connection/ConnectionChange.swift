internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// A command that changes whether a host runs a connection, by the same rules as the host's API.
protocol ConnectionWishCommand: AnsweringCommand {
    var name: String { get }
    var state: StateOptions { get }
    static var wish: HostConnections.Wish { get }
}

extension ConnectionWishCommand {
    func run(in context: CommandContext) async throws -> ExitStatus {
        let change = try await state.withStoreToWrite(context) { store in
            try await ConnectionChange.make(name, Self.wish, in: store, state, context)
        }
        answers(in: context).one(change.json, text: change.text)
        return .done
    }
}

/// A connection after a command has changed its set-up.
struct ConnectionChange: Sendable {
    let connection: Connection
    let setup: ConnectionSetup

    /// Changes a connection that a host runs.
    ///
    /// - Parameters:
    ///   - isConnected: Whether its person has connected it again, as far as the operator knows: then it no longer waits.
    /// - Throws: `PlugError` `connection-unknown`, and the errors of `HostConnections.wish`.
    static func make(
        _ name: String,
        _ wish: HostConnections.Wish,
        isConnected: Bool = false,
        in store: any PlugStore,
        _ state: some StateFolderNaming,
        _ context: CommandContext
    ) async throws -> ConnectionChange {
        try await StreamScope.check(connection: name, in: store)
        let id = ConnectionID(name)
        guard let connection = try await store.connection(id) else { throw StoreErrors.connectionUnknown(id) }
        // Only what runs needs anything.
        let plugs = HostPlugs(wish == .pause ? .init([], clients: [:]) : ServedPlugs.known(in: state, context))
        let connections = HostConnections(store, plugs, clock: context.clock, bell: Bell())
        try await connections.wish(wish, for: connection, isConnected: isConnected, by: "shell")
        guard let setup = try await store.setup(of: id) else { throw StoreErrors.connectionUnknown(id) }
        return ConnectionChange(connection: connection, setup: setup)
    }

    /// `{"connection", "plug", "pda", "status", "due"}`
    var json: JSONValue {
        .members(
            ("connection", .text(connection.id.name)),
            ("plug", .text(connection.plug)),
            ("pda", .text(connection.pda)),
            ("status", .text(setup.status.rawValue)),
            ("due", setup.dueAt.map { .text(ConnectionText.time($0)) } ?? .null)
        )
    }

    var text: String {
        let name = DisplayText.escaped(connection.id.name)
        if setup.status == .reconnect {
            return "connection \(name) waits until it is connected: plughost connect PATH --connection \(name)\n"
        }
        let due = setup.dueAt == nil ? "" : ", due now; 'plughost serve' runs it"
        return "connection \(name) is \(setup.status.rawValue)\(due)\n"
    }
}
