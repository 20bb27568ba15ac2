internal import ArgumentParser
internal import CurlTransport
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// The options of a command that resends what is stored for a connection.
struct ResendOptions: ParsableArguments {
    @OptionGroup var pda: PDAOptions
    @OptionGroup var state: StateOptions
    @OptionGroup var network: NetworkOptions

    /// Lends a connection's PDA and the state, and closes both. Prints token warnings first.
    ///
    /// - Throws: `PlugError` `connection-elsewhere` if `--pda` names another PDA than the connection's, `state-locked` if another
    ///   process has the connection, and the errors of the options, the token and `body`.
    func with(
        _ connection: Connection,
        in context: CommandContext,
        _ body: (ResendAccess) async throws -> Void
    ) async throws {
        let token = pda.tokenFile == nil ? nil : try pda.token()
        let address = try pda.pda == nil ? HTTPURL(connection.pda) : pda.address()
        try await network.withTransport(pda: address) { transport in
            try await state.withStoreToWrite(context) { store in
                _ = try await store.openConnection(connection.id, plug: connection.plug, pda: address.origin)
                // A run of the same connection would send and record the same batches.
                let lease = try await store.lease(connection.id)
                defer { lease.end() }
                let access = try await ResendAccess(
                    connection: connection,
                    token: token,
                    acceptsForeign: try await acceptsForeign(connection, store),
                    store: store,
                    transport: transport,
                    clock: context.clock
                )
                for warning in access.warnings {
                    context.errors.write(DisplayText.escaped("warning: [\(warning.code)] \(warning.message)") + "\n")
                }
                try await body(access)
            }
        }
    }

    private func acceptsForeign(_ connection: Connection, _ store: SQLiteStore) async throws -> Bool {
        if pda.acceptForeignToken { return true }
        return try await ConnectionPlan.acceptsForeignToken(of: connection.id, in: store)
    }
}
