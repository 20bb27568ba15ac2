import Foundation
import LosslessJSON
import TestKit

/// Runs of the built program between a service and a PDA on loopback whose every answer is in the hands of the test.
struct PlainWorld: Sendable {
    let folder: String
    let source: LoopbackServer
    let pda: LoopbackServer

    /// What runs have in common.
    var arguments: [String] {
        ["run", folder + "/plug.yaml", "--state", folder + "/state", "--json", "--allow-network", "127.0.0.0/8"]
    }

    /// The options of one connection.
    func connection(_ name: String) -> [String] {
        ["--connection", name, "--pda", "http://\(pda.authority)", "--token-file", folder + "/token"]
    }

    func run(_ more: [String]) async throws -> BuiltProgram.Ended {
        try await BuiltProgram.run(arguments + more, in: folder)
    }

    func start(_ more: [String]) throws -> BuiltProgram.Running {
        try BuiltProgram.start(arguments + more, in: folder)
    }

    /// - Parameters:
    ///   - http: What stands in the manifest's `http` beside the base.
    ///   - stream: What stands in its stream beside the rest.
    ///   - source: Answers `GET /<user>` with `{"items": […]}`.
    ///   - pda: Answers posts; it takes everything unless it is given.
    static func with(
        http: String = "",
        stream: String = "",
        source: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer,
        pda: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer = taking,
        _ body: (PlainWorld) async throws -> Void
    ) async throws {
        let source = try LoopbackServer.answering(source)
        defer { source.stop() }
        let pda = try LoopbackServer.answering(pda)
        defer { pda.stop() }
        try await BuiltProgram.withFolder { folder in
            try Data(
                """
                plug: plain
                api: 1
                version: 1.0.0
                hosts: ["\(source.authority)"]
                config: {user: {type: string, default: ada}}
                http: {base: "http://\(source.authority)", retry: {tries: 1}\(http)}
                streams:
                  items:
                    {endpoint: items, request: {path: "/{{ config.user }}"}, records: .items, key: [.id], version: none\(stream)}

                """.utf8
            ).write(to: URL(filePath: folder + "/plug.yaml"))
            try HandmadeToken.write(application: "plain", of: pda.authority, to: folder + "/token")
            try await body(PlainWorld(folder: folder, source: source, pda: pda))
        }
    }

    /// A PDA's acknowledgement of whatever is posted.
    static func taking(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        let records = (try? JSONValue(parsing: request.body))?.elements ?? []
        let echo = records.map { #"{"endpoint":"plain/items","recordId":"9b","data":\#($0.compactText)}"# }
        return .whole(201, "[\(echo.joined(separator: ","))]")
    }
}
