import CurlTransport
import LosslessJSON
import PDAWire
import PlugCore
import PlugHostWeb
import Synchronization
import TestKit
import Testing

/// The directory as a PDA meets it: over a socket, with doubled slashes, behind another directory, and gone.
@Suite(.fewAtATime)
struct DirectoryTests {
    private static func definition(_ id: String, _ name: String = "") -> JSONValue {
        .object(JSONObject([("id", .text(id)), ("name", .text(name))]))
    }

    /// Serves a directory while `body` runs.
    private func withServer(
        _ directory: any ApplicationDirectory,
        _ body: @escaping @Sendable (String, HTTPTransport) async throws -> Void
    ) async throws {
        var policy = NetworkPolicy()
        policy.allowedPDANetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        let addresses = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await DirectoryServer(directory, port: 0).run { addresses.continuation.yield($0) } }
            for await url in addresses.stream {
                try await body(url, transport)
                break
            }
            group.cancelAll()
        }
        await transport.shutDown()
    }

    private func get(
        _ url: String,
        _ transport: HTTPTransport,
        method: String = "GET",
        token: String? = nil
    ) async throws -> String {
        let headers = token.map { [HTTPHeader("X-Auth-Token", $0)] } ?? []
        let response = try await transport.send(HTTPRequest(method: method, url: url, headers: headers, side: .pda))
        return "\(response.status) " + response.body.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: ["", "/"])
    func answersWhatPDAsAsk(slash: String) async throws {
        try await withServer(FixedDirectory(list: [Self.definition("a"), Self.definition("b/c")])) { url, transport in
            let base = url + slash + "/api/v3/"
            let answers = [
                try await get(base + "applications?unpublished=false", transport),
                try await get(base + "applications/a?lang=en", transport),
                try await get(base + "applications/b%2Fc", transport),
                try await get(base + "applications/z", transport),
                try await get(base + "users/register-consent/a", transport),
                try await get(base + "users/register-consent/a", transport, token: "t"),
                try await get(base + "users/register-consent/z", transport, token: "t"),
                try await get(url + slash + "/stats/report", transport, method: "POST"),
            ]
            #expect(
                answers == [
                    #"200 {"data":[{"id":"a","name":""},{"id":"b/c","name":""}]}"#, #"200 {"id":"a","name":""}"#,
                    #"200 {"id":"b/c","name":""}"#,
                    #"404 {"message":"Not Found","cause":"Application z does not exist"}"#,
                    #"401 {"message":"Unauthorized","cause":"The PDA's token is missing"}"#,
                    #"200 {"message":"Consent registered"}"#,
                    #"404 {"message":"Not Found","cause":"Application z does not exist"}"#,
                    #"200 {"message":"Report received"}"#,
                ]
            )
        }
    }

    @Test func ownDefinitionsStandBeforeAnotherDirectorysOverHTTP() async throws {
        let consents = Consents()
        let theirs = FixedDirectory(list: [Self.definition("a", "theirs"), Self.definition("x")])
        try await withServer(Recording(list: theirs, consents)) { url, transport in
            let merged = MergedDirectory(
                own: FixedDirectory(list: [Self.definition("a", "ours")]),
                upstream: HTTPDirectory(url + "/", transport: transport)
            )
            let all = try await merged.definitions().map(\.compactText)
            #expect(all == [#"{"id":"a","name":"ours"}"#, #"{"id":"x","name":""}"#])
            let one = try await [merged.definition(of: "a"), merged.definition(of: "x"), merged.definition(of: "y")]
            #expect(one == [Self.definition("a", "ours"), Self.definition("x"), nil])
            try await merged.registerConsent(to: "a", token: Secret("ta"))
            try await merged.registerConsent(to: "x", token: Secret("tx"))
            #expect(consents.all == ["x tx"])
        }
    }

    @Test func aDirectoryThatIsAwayIsAnErrorAndNotAnEmptyList() async throws {
        let transport = try HTTPTransport(policy: NetworkPolicy())
        let away = HTTPDirectory("http://127.0.0.1:9", transport: transport)
        let merged = MergedDirectory(own: FixedDirectory(list: [Self.definition("a")]), upstream: away)
        await #expect(throws: PlugError.self) { _ = try await merged.definitions() }
        try await withServer(merged) { url, transport in
            var statuses: [String] = []
            for path in ["/applications/a", "/applications", "/applications/x"] {
                statuses.append(String(try await get(url + "/api/v3" + path, transport).prefix(3)))
            }
            #expect(statuses == ["200", "502", "502"])
        }
        await transport.shutDown()
    }
}

/// Consents that a directory heard of.
private final class Consents: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
}

/// A directory of definitions at hand.
private struct FixedDirectory: ApplicationDirectory {
    let list: [JSONValue]

    func definition(of id: String) -> JSONValue? { list.first { $0["id"] == .text(id) } }
    func definitions() -> [JSONValue] { list }
    func registerConsent(to id: String, token: Secret) {}
}

private struct Recording: ApplicationDirectory {
    let list: any ApplicationDirectory
    let consents: Consents

    init(list: any ApplicationDirectory, _ consents: Consents) {
        self.list = list
        self.consents = consents
    }

    func definition(of id: String) async throws -> JSONValue? { try await list.definition(of: id) }
    func definitions() async throws -> [JSONValue] { try await list.definitions() }
    func registerConsent(to id: String, token: Secret) async throws { consents.add("\(id) \(token.reveal())") }
}
