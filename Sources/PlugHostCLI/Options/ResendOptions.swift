internal import ArgumentParser
internal import CurlTransport
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// The options of a command that sends again what is kept for a connection.
struct ResendOptions: ParsableArguments {
    @OptionGroup var pda: PDAOptions
    @OptionGroup var state: StateOptions
    @OptionGroup var network: NetworkOptions

    /// Works with a connection's PDA and the state, and closes both. Prints token warnings first.
    ///
    /// - Throws: `PlugError` `connection-elsewhere` if `--pda` names another PDA than the connection's, `state-locked`
    ///   where somebody else has the connection, what the options and the token say, and what `body` throws.
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
                // A run of the same connection would send the same, and book it too.
                let lease = try await store.lease(connection.id)
                defer { lease.end() }
                let access = try await ResendAccess(
                    connection: connection,
                    token: token,
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
}
