import CurlTransport
import LosslessJSON
import PDAWire
import PlugCore
import PlugManifest
import PlugStorage
import Synchronization
import TestKit
import Testing

@testable import PlugRuntime

/// A clock that moves only while somebody waits.
final class StillClock: HostClock {
    static let seconds: Int64 = 1_795_000_000
    private let microseconds = Mutex<Int64>(StillClock.seconds * 1_000_000)
    func now() -> Int64 { microseconds.withLock { $0 } }
    func random() -> Double { 0.5 }
    func advance(_ duration: Duration) { microseconds.withLock { $0 += Int64(duration / .microseconds(1)) } }
    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        microseconds.withLock { $0 += Int64(duration / .microseconds(1)) }
    }
}

/// A token of an application, issued so many seconds before now.
func token(age: Int64 = 60, expiresIn: Int64 = 86_400, issuer: String = "alice.example") -> Secret {
    var claims = TokenClaims(
        issuer: issuer,
        subject: "alice",
        identifier: "1",
        issuedAt: StillClock.seconds - age,
        expires: StillClock.seconds + expiresIn
    )
    claims.application = "demo"
    return Secret("e30.\(Base64URL.encode(claims.payload)).c2ln")
}

/// A manifest with these streams, each with lines of its own.
///
/// - Parameter endpoint: Where a stream delivers to, by its name.
func manifest(
    _ streams: [(name: String, lines: [String])],
    to endpoint: (String) -> String = { _ in "items" }
) throws -> Manifest {
    let text = """
        plug: demo
        api: 1
        version: 1.0.0
        namespace: demo
        hosts: [api.example.org]
        config: {user: {type: string, default: ada}, key: {type: string, secret: true}}
        http: {base: "https://api.example.org"}
        streams:

        """
    let all = streams.map { stream in
        "  \(stream.name):\n    endpoint: \(endpoint(stream.name))\n    request: {path: /items}\n"
            + stream.lines.map { "    \($0)\n" }.joined()
    }
    let result = ManifestReader.read(path: "plug.yaml", text: Array((text + all.joined()).utf8))
    let errors = result.diagnostics.filter { $0.severity == .error }
    return try #require(result.manifest, "\(errors.map(\.message))")
}

/// A source, a PDA and a store that stay while runs come and go.
struct Bench {
    let source = LineSource()
    let pda = ModelPDA()
    let store: any PlugStore
    let clock = StillClock()
    let warnings = Notes()
    var manifest: Manifest
    var pageSize = 2
    /// Whether the lines are one answer.
    var isOneAnswer = false

    init(_ lines: [String] = ["key: [.id]"], store: any PlugStore = MemoryStore(clock: StillClock())) throws {
        self.store = store
        manifest = try PlugRuntimeTests.manifest([("items", lines)])
    }

    @discardableResult
    func run(_ store: (any PlugStore)? = nil, _ change: (inout RunRequest) -> Void = { _ in }) async -> RunReport {
        var request = RunRequest(
            manifest: manifest,
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada")]
        )
        request.connection = "ada"
        change(&request)
        let warnings = warnings
        let fetcher = LineFetcher(source: source, pageSize: pageSize, isOneAnswer: isOneAnswer)
        let run = PlugRun(
            request,
            store: request.isDryRun ? nil : store ?? self.store,
            transport: pda,
            clock: clock,
            fetcher: fetcher
        ) {
            switch $0 {
            case .warning(let code, _): warnings.add(code.text)
            case .record(_, let path, let bytes): warnings.add("\(path) \(String(decoding: bytes, as: UTF8.self))")
            default: break
            }
        }
        return await run.run()
    }

    /// The stored state of a part of the stream `items`.
    func state(_ stream: String = "items", part: String = "") async throws -> String? {
        let id = StreamID(connection: ConnectionID("ada"), stream: stream)
        return try await store.state(of: id, part: part).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// What sending kept records of the one connection again needs.
    func resending() async throws -> ResendAccess {
        try await ResendAccess(
            connection: try #require(try await store.connections().first),
            token: token(),
            store: store,
            transport: pda,
            clock: clock
        )
    }

    func letters() async throws -> [DeadLetter] {
        try await store.deadLetters(DeadLetterFilter(connection: ConnectionID("ada"))).map(\.letter)
    }
}

/// What was told, in order.
final class Notes: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
}

/// The fates of a stream in a line, without what is zero.
func fates(_ counts: StreamCounts) -> String {
    let all = [
        (counts.fetched, "fetched"), (counts.delivered, "delivered"), (counts.known, "known"),
        (counts.duplicates, "duplicates"), (counts.deadLetters, "dead"), (counts.queued, "queued"),
        (counts.undelivered, "undelivered"),
    ]
    return all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
}

extension RunReport {
    /// `done 0: items 2 fetched, 2 delivered`
    var line: String {
        let code = error.map { " \($0.code)" } ?? ""
        return "\(outcome.rawValue) \(exit.rawValue)\(code): "
            + streams.map { "\($0.name) \(fates($0.counts))" }.joined(separator: "; ")
    }
}
