internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// A command that changes whether a host runs a connection.
protocol ConnectionSetupCommand: AnsweringCommand {
    var name: String { get }
    var state: StateOptions { get }
    /// The connection's new status; an active one is due at once.
    static var status: ConnectionSetup.Status { get }
    /// A word for the audit log.
    static var change: String { get }
}

extension ConnectionSetupCommand {
    func run(in context: CommandContext) async throws -> ExitStatus {
        let dueAt = Self.status == .active ? context.clock.now() : nil
        let change = try await state.withStoreToWrite(context) { store in
            try await ConnectionChange.make(name, Self.status, dueAt: dueAt, Self.change, in: store, context)
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
    ///   - dueAt: When it is due afterwards; `nil` for never.
    ///   - what: A word for the audit log.
    /// - Throws: `PlugError` `connection-unknown`, `setup-missing` (1).
    static func make(
        _ name: String,
        _ status: ConnectionSetup.Status,
        dueAt: Int64?,
        _ what: String,
        in store: any PlugStore,
        _ context: CommandContext
    ) async throws -> ConnectionChange {
        try await StreamScope.check(connection: name, in: store)
        let id = ConnectionID(name)
        let entry = AuditEntry(at: context.clock.now(), who: "shell", what: what)
        let isThere = try await store.changeSetup(of: id, status: status, dueAt: dueAt, entry)
        guard isThere, let connection = try await store.connection(id), let setup = try await store.setup(of: id) else {
            throw PlugError(
                .setupMissing,
                "no host runs connection '\(DisplayText.escaped(name))': it has no set-up",
                advice: "'plughost connection add \(DisplayText.escaped(name)) PATH …' gives it one"
            )
        }
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
        let due = setup.dueAt == nil ? "" : ", due now; 'plughost serve' runs it"
        return "connection \(DisplayText.escaped(connection.id.name)) is \(setup.status.rawValue)\(due)\n"
    }
}
