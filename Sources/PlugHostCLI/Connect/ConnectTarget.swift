internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage

/// The connection selected by a command line: an existing one, or a new one.
struct ConnectTarget {
    /// The connection to make, once there is something to store.
    struct Connection: Sendable {
        let id: ConnectionID
        let plug: String
        let pda: String

        /// Makes the connection if it does not exist.
        func open(in store: any PlugStore) async throws { _ = try await store.openConnection(id, plug: plug, pda: pda) }
    }

    private let request: RunRequest
    private let name: String?
    private let hasPDA: Bool

    /// - Throws: `PlugError` `bad-connection`, `bad-pda` (usage).
    init(
        _ command: ConnectCommand,
        _ manifest: Manifest,
        _ answers: ConfigAnswers,
        _ config: JSONObject
    ) throws(PlugError) {
        if let name = command.named.connection, !RunWorld.isConnectionName(name) {
            throw PlugError(.badConnection, RunWorld.notAName(name), advice: RunWorld.nameAdvice)
        }
        let address = try command.pda.map { pda throws(PlugError) in try PDAOptions.address(of: pda) }
        var request = RunRequest(manifest: manifest, pda: address?.origin ?? "", token: Secret(""), config: config)
        request.connection = command.named.connection
        request.answered = answers.names(for: manifest)
        (self.request, name, hasPDA) = (request, command.named.connection, address != nil)
    }

    /// Looks for the connection.
    ///
    /// - Throws: `PlugError` `connection-new` without a PDA, `connection-elsewhere` if it is another plug's or PDA's.
    func connection(in store: any PlugStore) async throws -> Connection {
        var pda = request.pda
        if !hasPDA {
            guard let name, let known = try await store.connection(ConnectionID(name)) else {
                throw PlugError(
                    .connectionNew,
                    name.map { "there is no connection '\(DisplayText.escaped($0))' yet, and --pda is missing" }
                        ?? "--pda is missing, and no --connection is named",
                    advice: "write --pda https://you.example, as in later runs"
                )
            }
            pda = known.pda
        }
        let id = ConnectionID(try await PlugRun.knownName(for: request, in: store))
        let connection = Connection(id: id, plug: request.manifest.id, pda: pda)
        // Errors about ownership are reported before the person is asked for anything.
        if try await store.connection(id) != nil { try await connection.open(in: store) }
        return connection
    }
}
