internal import ArgumentParser
internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugStorage
internal import Syncing
internal import Throttling

/// `plughost connection remove`
struct ConnectionRemoveCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Erases a connection, and prints what was erased.",
        usage: "plughost connection remove <name> --erase [<options>]",
        discussion: """
            This destroys its data key, so that nothing kept for it can be read again,
            and overwrites all its rows: token, cursors, outbox, dead letters, runs.
            Records that wait in its outbox are lost. The PDA keeps what it has. The
            receipt on stdout lists what was erased.

            The person's consent is first revoked at the source, if the plug says how
            ('revoke'). The plug comes from --plug, or else from the host's configuration.
            If the service fails, everything is still erased, and the receipt says so.

            It may be used while a host runs. If a run is under way, the connection is
            paused and the command ends with 75: run it again, or add --wait 10m.

            Examples:
              plughost connection remove ada-work --erase
              plughost connection remove ada-work --erase --yes --json > receipt.json
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @Flag(help: "Confirm that everything kept for it is erased for good.")
    var erase = false

    @Option(
        help: ArgumentHelp(
            "The connection's plug, if the host's configuration does not name it.",
            valueName: "path"
        )
    )
    var plug: String?

    @OptionGroup var state: StateOptions

    @OptionGroup var network: NetworkOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "Print the receipt as one JSON object.")
    var json = false

    func validate() throws {
        guard erase else { throw ValidationError("add --erase: everything kept for the connection is erased for good") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        try await state.withStoreToRead(context) { try await StreamScope.check(connection: name, in: $0) }
        let consequence = "everything kept for connection '\(DisplayText.escaped(name))' would be erased"
        guard try await Confirmation.isWanted(consequence, yes: yes, in: context) else { return .failed }
        let (receipt, consent) = try await erased(context)
        answers(in: context).one(receipt.json(consent), text: receipt.text(consent))
        if !receipt.isLogEmpty {
            context.errors.write(
                "warning: another process was reading, so old pages are still in the database's log; "
                    + "the next run empties it\n"
            )
        }
        return .done
    }

    private func erased(_ context: CommandContext) async throws -> (ErasureReceipt, Revocation) {
        let id = ConnectionID(name)
        return try await state.withStoreToWrite(context) { store in
            let hasConsent = try await store.grant(GrantID(connection: id, name: KeptGrant.consent)) != nil
            // Without plugs the consent is only forgotten: the receipt says so.
            let plugs = HostPlugs(
                hasConsent
                    ? ServedPlugs.known([plug].compactMap(\.self), in: state, context)
                    : HostPlugs.Content([], clients: [:])
            )
            return try await network.withTransport(pda: nil) { transport in
                let throttling = RequestThrottling(notes: store, transport: transport, clock: context.clock)
                return try await lend(throttling, closing: { await $0.settle() }) { throttling in
                    let disconnecting = Disconnecting(store, plugs, throttling, clock: context.clock)
                    let (receipt, consent) = try await disconnecting.erase(id, by: "shell")
                    guard let receipt else { throw StoreErrors.connectionUnknown(id) }
                    return (receipt, consent)
                }
            }
        }
    }
}

extension ErasureReceipt {
    fileprivate func text(_ consent: Revocation) -> String {
        let rows = rows.filter { $0.count > 0 }.map { "\($0.count) \($0.kind.replacing("_", with: " "))" }
        let name = DisplayText.escaped(connection.name)
        return """
            erased connection \(name) (\(DisplayText.escaped(plug)), \(DisplayText.escaped(pda)))
              created   \(ConnectionText.time(createdAt))
              erased    \(ConnectionText.time(erasedAt))
              data key  \(key), destroyed
              rows      \(rows.isEmpty ? "none" : rows.joined(separator: ", "))
              consent   \(DisplayText.escaped(consent.sentence))

            """
    }
}
