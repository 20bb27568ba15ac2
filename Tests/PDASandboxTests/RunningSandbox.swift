import Foundation
import LosslessJSON
import PDAWire
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PDASandbox

/// Time that only moves when told.
final class TestClock: HostClock {
    private let microseconds = Mutex<Int64>(1_700_000_000_000_000)
    func now() -> Int64 { microseconds.withLock { $0 } }
    func advance(seconds: Int64) { microseconds.withLock { $0 += seconds * 1_000_000 } }
    func sleep(for duration: Duration) async throws {}
    func random() -> Double { 0.5 }
}

/// A sandbox that listens on a real port with a real state folder.
struct RunningSandbox: Sendable {
    let pda: SandboxPDA
    let address: SandboxAddress
    let clock: TestClock
    let owner: String
    var client: TestClient { TestClient(port: address.port) }

    static let password = "correct horse % + battery"

    static func folder() throws -> String {
        let path = NSTemporaryDirectory() + "sandbox-tests-\(UUID().uuidString)"
        try SandboxKey.put(into: path)
        return path
    }

    /// Runs a sandbox while the body works with it.
    static func with(
        applications: [JSONValue] = [],
        directory: (any ApplicationDirectory)? = nil,
        email: String = "bob@example.org",
        domain: String? = nil,
        bodyRoom: Int? = nil,
        in folder: String? = nil,
        _ body: @escaping @Sendable (RunningSandbox) async throws -> Void
    ) async throws {
        let path = try folder ?? Self.folder()
        defer { if folder == nil { try? FileManager.default.removeItem(atPath: path) } }
        var options = try SandboxOptions(stateFolder: path, owner: "bob", password: Secret(password))
        options.email = email
        options.domain = domain
        options.applications = applications
        options.directory = directory
        options.passwordRounds = 16
        if let bodyRoom { options.bodyRoom = bodyRoom }
        let clock = TestClock()
        let pda = try await SandboxPDA(options, clock: clock)
        let (addresses, told) = AsyncStream.makeStream(of: SandboxAddress.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { told.finish() }
                try await pda.run { told.yield($0) }
            }
            for await address in addresses {
                defer { group.cancelAll() }
                let tokens = Tokens(key: pda.store.key, subject: try await pda.store.subject(), clock: clock)
                let owner = try tokens.owner(issuer: "127.0.0.1:\(address.port)")
                try await body(RunningSandbox(pda: pda, address: address, clock: clock, owner: owner))
                break
            }
            try await group.waitForAll()
        }
    }

    /// What the body makes of a fresh sandbox.
    static func value<Value: Sendable>(
        _ body: @escaping @Sendable (RunningSandbox) async throws -> Value
    ) async throws -> Value {
        let kept = Mutex<Value?>(nil)
        try await with { sandbox in
            let value = try await body(sandbox)
            kept.withLock { $0 = value }
        }
        return try #require(kept.withLock { $0 })
    }

    // MARK: Requests

    func get(_ path: String, token: String? = nil, headers: [(String, String)] = []) async throws -> Reply {
        try await client.send("GET", path, headers: headers + credentials(token))
    }

    func getData(_ path: String) async throws -> [JSONValue] {
        try await get("/api/v2.6/data/\(path)", token: owner).json?.elements ?? []
    }

    func delete(_ path: String, token: String? = nil) async throws -> Reply {
        try await client.send("DELETE", path, headers: credentials(token))
    }

    func send(
        _ method: String = "POST",
        _ path: String,
        _ json: String,
        token: String? = nil,
        type: String? = "application/json"
    ) async throws -> Reply {
        let headers = credentials(token) + (type.map { [("Content-Type", $0)] } ?? [])
        return try await client.send(method, path, headers: headers, body: Array(json.utf8))
    }

    func post(_ path: String, _ json: String) async throws -> Reply {
        try await send("POST", "/api/v2.6/data/\(path)", json, token: owner)
    }

    private func credentials(_ token: String?) -> [(String, String)] { token.map { [("X-Auth-Token", $0)] } ?? [] }

    /// Sends a page's form.
    func submit(_ path: String, _ form: String, _ headers: [(String, String)]) async throws -> Reply {
        let type = [("Content-Type", "application/x-www-form-urlencoded")]
        return try await client.send("POST", path, headers: headers + type, body: Array(form.utf8))
    }

    /// The token of the first form of a page.
    func formToken(_ page: String) -> String {
        let mark = #"name="form" value=""#
        return page.range(of: mark).map { String(page[$0.upperBound...].prefix { $0 != "\"" }) } ?? ""
    }

    /// A session of the page, as a header.
    func session() async throws -> [(String, String)] {
        let link = pda.pageAddress(at: address).reveal()
        let reply = try await get(String(link.dropFirst(address.url.count)))
        return [("Cookie", String((reply.headers["set-cookie"] ?? "").prefix { $0 != ";" }))]
    }

    /// A user's token, as from a log-in.
    func token(of user: User, scope: String? = nil) throws -> String {
        try Tokens(key: pda.store.key, subject: user.subject, clock: clock)
            .user(issuer: "127.0.0.1:\(address.port)", scope: scope)
    }

    /// Another user.
    func user(_ name: String, _ roles: Role...) async throws -> User {
        let user = try await pda.store.addUser(
            id: UUIDText.random(),
            name: name,
            displayName: name,
            password: "\(name)'s password",
            roles: roles
        )
        return try #require(user)
    }

    /// An application's token, asked for by the owner.
    func applicationToken(_ id: String) async throws -> String {
        let reply = try await get(PDARoute.applicationToken(id), token: owner)
        return reply.json?["accessToken"]?.stringText ?? ""
    }
}

/// Definitions for tests.
enum Definition {
    static func plug(
        _ id: String,
        roles: String? = nil,
        compatibility: String = "1.0.0",
        version: String = "1.2.0",
        endpoint: String = "daily"
    ) throws -> JSONValue {
        try JSONValue(
            parsing: """
                {"id": "\(id)", "kind": {"url": "https://\(id).example.org", "kind": "DataPlug"},
                 "info": {"version": "\(version)", "published": true, "name": "Steps <b>", "headline": "Daily", "description": {"text": "t"},
                          "termsUrl": "https://example.org", "dataUsePurpose": "p", "supportContact": "s", "dataPreview": [],
                          "graphics": {"banner": {"normal": ""}, "logo": {"normal": ""}, "screenshots": []}},
                 "developer": {"id": "acme", "name": "Acme", "url": "https://example.org", "country": "UK"},
                 "permissions": {"rolesGranted": [\(roles ?? #"{"role": "namespacewrite", "detail": "\#(id)"}"#)]},
                 "setup": {"kind": "External", "validRedirectUris": []},
                 "status": {"kind": "Internal", "compatibility": "\(compatibility)", "recentDataCheckEndpoint": "\(id)/\(endpoint)",
                            "versionReleaseDate": "2024-04-01T12:00:00.000Z"}}
                """
        )
    }
}

/// The values of a failed request's body.
func failure(_ reply: Reply) -> PDAFailure? { reply.json.flatMap { PDAFailure(body: $0) } }
