import CurlTransport
import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

/// `plughost connect` of the built program, a service that gives tokens, and a person with a browser.
struct ConnectWorld: Sendable {
    let folder: String
    let server: OAuthServer
    let first: OAuth1Server
    let transport: HTTPTransport

    /// What all commands of the connection `ada` have in common.
    private var state: [String] { ["--state", folder + "/state"] }

    /// A process that asks for consent, and what it says to the person.
    struct Asking {
        let running: BuiltProgram.Running
        let errors: Pipe
        let input: Pipe
        /// What it said up to and with the text that was waited for.
        let said: String

        /// The address behind these words.
        func address(_ start: String = "http://") throws -> String {
            let line = said.split(separator: "\n").first { $0.contains("  \(start)") }
            return String(try #require(line).drop { $0 == " " })
        }

        /// What it said afterwards, and how it ended.
        func finish() async throws -> (ended: BuiltProgram.Ended, said: String) {
            let ended = try await running.finish()
            let rest = try await blocking { [errors] in errors.fileHandleForReading.readDataToEndOfFile() }
            return (ended, String(decoding: rest, as: UTF8.self))
        }
    }

    /// Starts `connect`, and returns when it has said something.
    func ask(until words: String, _ more: String...) async throws -> Asking {
        let (errors, input) = (Pipe(), Pipe())
        let arguments =
            ["connect", folder + "/plug.yaml", "--pda", "https://ada.example", "--connection", "ada", "--no-browser"]
            + [
                "--client-id", "client", "--client-secret", "@\(folder)/secret", "--allow-network",
                "source=127.0.0.0/8",
            ]
        let running = try BuiltProgram.start(arguments + state + more, in: folder, errors: errors, input: input)
        try? errors.fileHandleForWriting.close()
        var said = ""
        while !said.contains(words) {
            let data = try await blocking { errors.fileHandleForReading.availableData }
            if data.isEmpty { break }
            said += String(decoding: data, as: UTF8.self)
        }
        try #require(said.contains(words), "\(said)")
        return Asking(running: running, errors: errors, input: input, said: said)
    }

    /// Another command over the same state.
    func run(_ arguments: String...) async throws -> BuiltProgram.Ended {
        try await BuiltProgram.run(arguments + state, in: folder)
    }

    /// Opens an address in the browser.
    func open(_ address: String) async throws -> HTTPResponse {
        try await transport.send(HTTPRequest(url: address, side: .source))
    }

    /// Where the service sends the browser once the person has decided.
    func decide(_ address: String) async throws -> String {
        let answer = try await open(address)
        #expect(answer.status == 302)
        return try #require(answer.headers.first("location"))
    }

    /// - Parameters:
    ///   - grant: What stands in the manifest's `auth.oauth2` beside the token; `nil` for OAuth 1.0a.
    ///   - service: Changes the service.
    static func with(
        grant: String? = "authorize: {url: \"http://AUTHORITY/authorize\"}",
        service: (inout OAuthService) -> Void = { _ in },
        _ body: (ConnectWorld) async throws -> Void
    ) async throws {
        var own = OAuthService()
        service(&own)
        let server = try OAuthServer(own)
        defer { server.stop() }
        var client = OAuth1Service()
        client.consumer = ("client", "s3cr3t")
        let first = try OAuth1Server(client)
        defer { first.stop() }
        let auth =
            grant.map { "oauth2:\n    \($0)\n    token: {url: \"http://AUTHORITY/token\"}\n    scopes: [read, write]" }
            ?? "oauth1:\n    request: {url: \"http://AUTHORITY/request\"}\n    authorize: {url: \"http://AUTHORITY/authorize\"}\n"
            + "    access: {url: \"http://AUTHORITY/access\"}"
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        try await BuiltProgram.withFolder { folder in
            try Data(
                """
                plug: consenting
                api: 1
                version: 1.0.0
                hosts: ["AUTHORITY"]
                auth:
                  \(auth)
                check: {request: {path: /me}, who: .name}
                http: {base: "http://AUTHORITY", retry: {tries: 1}}
                streams:
                  items: {endpoint: items, request: {path: /items}, records: ., key: [.id], version: none}

                """.replacing("AUTHORITY", with: grant == nil ? first.authority : server.authority).utf8
            ).write(to: URL(filePath: folder + "/plug.yaml"))
            try Data("s3cr3t\n".utf8).write(to: URL(filePath: folder + "/secret"))
            do {
                try await body(ConnectWorld(folder: folder, server: server, first: first, transport: transport))
            } catch {
                await transport.shutDown()
                throw error
            }
            await transport.shutDown()
        }
    }
}

extension HTTPResponse {
    /// The body as text.
    var page: String { body.withBytes { String(decoding: $0, as: UTF8.self) } }
}
