internal import ArgumentParser
internal import HTTPTransport
internal import PlugCore
internal import PlugStore

/// What a command needs that sends again what is kept for a connection: where to, with which token, and from which state.
struct ResendOptions: ParsableArguments {
    @OptionGroup var pda: PDAOptions
    @OptionGroup var state: StateOptions
    @OptionGroup var network: NetworkOptions

    /// What a command works with while the state is open to write.
    struct Access: Sendable {
        /// What the token file holds, `nil` where none was named: a kept token serves then.
        var token: Secret?
        var store: SQLiteStore
        var transport: HTTPTransport
        private let context: CommandContext

        fileprivate init(token: Secret?, store: SQLiteStore, transport: HTTPTransport, context: CommandContext) {
            self.token = token
            self.store = store
            self.transport = transport
            self.context = context
        }

        /// Says what a token makes worth saying.
        func tell(_ warnings: [Diagnostic]) {
            for warning in warnings {
                context.errors.write(DisplayText.escaped("warning: [\(warning.code)] \(warning.message)") + "\n")
            }
        }
    }

    /// Works with a connection's PDA and the state, and closes both.
    ///
    /// - Throws: `PlugError` `connection-elsewhere` where `--pda` names another PDA than the connection's, what the options
    ///   say, and what `body` throws.
    func with(
        _ connection: Connection,
        in context: CommandContext,
        _ body: (Access) async throws -> Void
    ) async throws {
        let token = pda.tokenFile == nil ? nil : try pda.token()
        let address = try pda.pda == nil ? HTTPURL(connection.pda) : pda.address()
        let transport = try network.transport(pda: address)
        let store = try await state.openToWrite(context)
        var failure: (any Error)?
        do {
            _ = try await store.openConnection(connection.id, plug: connection.plug, pda: address.origin)
            try await body(Access(token: token, store: store, transport: transport, context: context))
        } catch {
            failure = error
        }
        await store.close()
        await transport.shutDown()
        if let failure { throw failure }
    }
}
