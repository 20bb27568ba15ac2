internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// A connection's plug with the person's current answers.
struct ConnectionSource: Sendable {
    let connection: Connection
    let setup: ConnectionSetup
    let plan: ConnectionPlan
    /// The plug, as in its manifest.
    let plug: Manifest
    let clients: [String: ClientIdentity]

    /// Looks a connection up.
    ///
    /// - Parameter fallback: Replaces the set-up of a connection that 'run' or 'connect' created and no host runs; `nil` if a
    ///   set-up is required.
    /// - Throws: `PlugError` `connection-unknown`, `setup-missing`, `setup-unreadable`, `plug-not-served`.
    init(
        _ id: ConnectionID,
        in store: any PlugStore,
        _ plugs: HostPlugs,
        orAs fallback: ConnectionSetup? = nil
    ) async throws {
        guard let connection = try await store.connection(id) else { throw StoreErrors.connectionUnknown(id) }
        guard let setup = try await store.setup(of: id) ?? fallback else {
            throw PlugError(
                .setupMissing,
                "connection '\(DisplayText.escaped(id.name))' has no set-up",
                advice: "'plughost connection add' gives it one"
            )
        }
        let current = plugs.current
        plug = try current.manifest(of: connection.plug, for: id)
        clients = current.clients
        plan = try ConnectionPlan(content: setup.content, of: id)
        (self.connection, self.setup) = (connection, setup)
    }

    /// The answers with the manifest's defaults.
    func config(_ answers: JSONObject) -> JSONObject {
        var config = JSONObject()
        for field in plug.config {
            let key = JSONString(field.name)
            config[key] = answers[key] ?? field.default
        }
        return config
    }

    /// The consent that the manifest requires, with the authorisation that the answers choose.
    func consent() throws -> (manifest: Manifest, settings: ConsentSettings?) {
        let manifest = try plug.choosing(config(plan.config))
        return (manifest, manifest.authorization.consent)
    }
}
