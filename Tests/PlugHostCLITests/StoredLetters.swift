import CurlTransport
import LosslessJSON
import PDASandbox
import PlugCore
import PlugStorage

/// A clock that stands still.
struct StillClock: HostClock {
    var microseconds: Int64 = 1_763_700_000_123_456
    func now() -> Int64 { microseconds }
    func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
    func random() -> Double { 0.5 }
}

/// State folders with dead letters in them.
enum StoredLetters {
    static let pda = "https://ada.example"

    static func letter(
        _ stage: DeadLetter.Stage = .deliver,
        _ name: String = "1",
        record: String? = nil,
        reason: String = "400: Bad Request"
    ) -> DeadLetter {
        DeadLetter(
            stage: stage,
            code: stage == .deliver ? "refused" : "map-failed",
            reason: reason,
            record: Array((record ?? #"{"_id":"wiki/edits/\#(name)","n":9007199254740993}"#).utf8),
            identity: stage == .deliver ? "wiki/edits/\(name)" : "",
            path: stage == .deliver ? DataPath(namespace: "wiki", endpoint: "edits") : nil
        )
    }

    /// Writes dead letters of one connection.
    static func write(
        _ letters: [DeadLetter],
        of connection: String = "ada",
        stream: String = "edits",
        pda: String = pda,
        hiding hidden: HiddenMembers? = nil,
        to folder: String
    ) async throws {
        let store = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), clock: StillClock())
        _ = try await store.openConnection(ConnectionID(connection), plug: "edits", pda: pda)
        let id = StreamID(connection: ConnectionID(connection), stream: stream)
        let profile = hidden.map { StreamProfile(hidden: $0) }
        try await store.commit(StreamCommit(stream: id, pass: 1, deadLetters: letters, profile: profile))
        await store.close()
    }

    /// What is left.
    static func all(in folder: String) async throws -> [StoredDeadLetter] {
        let store = try await SQLiteStore.open(folder: folder, access: .read)
        let letters = try await store.deadLetters(DeadLetterFilter())
        await store.close()
        return letters
    }
}

/// A PDA that runs while a test works with it, and an owner's key to it.
struct RunningPDA: Sendable {
    let url: String
    let folder: String

    static func with(in folder: String, _ body: @escaping @Sendable (RunningPDA) async throws -> Void) async throws {
        let options = try SandboxOptions(stateFolder: folder, owner: "owner", password: Secret("a password"))
        try await LoopbackPDA.with(options) { url in try await body(RunningPDA(url: url, folder: folder)) }
    }

    /// Sends a request with a token.
    func send(_ method: String, _ path: String, token: String, body: String? = nil) async throws -> HTTPResponse {
        var policy = NetworkPolicy()
        policy.trustedPDAs = [try HTTPURL(url).hostAndPort]
        let transport = try HTTPTransport(policy: policy)
        let headers = [HTTPHeader("X-Auth-Token", token), HTTPHeader("Content-Type", "application/json")]
        let request = HTTPRequest(
            method: method,
            url: url + path,
            headers: headers,
            body: body.map { Array($0.utf8) },
            side: .pda
        )
        let response = try await transport.send(request)
        await transport.shutDown()
        return response
    }
}
