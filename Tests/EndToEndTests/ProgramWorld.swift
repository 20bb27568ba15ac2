import Foundation
import LosslessJSON
import Synchronization
import TestKit

/// Runs of the built program with a plug that a program reads, whose source and whose PDA are in the hands of the test.
final class ProgramWorld: Sendable {
    private static let tap = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs/tap.py")
        .path

    let folder: String
    let pda: LoopbackServer
    let source: LoopbackServer
    private let state: Mutex<State>

    struct State: Sendable {
        /// Lines of the source: things in the order in which they changed.
        var things: [String] = []
        /// What the PDA has taken, in the order in which it came: the `_id` and all of it.
        var stored: [(identity: String, text: String)] = []
        var isDown = false
        /// Told of each post, before it is answered.
        var hearer: (@Sendable () -> Void)?
    }

    private init(_ folder: String, pda: LoopbackServer, source: LoopbackServer, _ state: State) {
        (self.folder, self.pda, self.source) = (folder, pda, source)
        self.state = Mutex(state)
    }

    static func with(_ body: (ProgramWorld) async throws -> Void) async throws {
        let shared = Mutex<ProgramWorld?>(nil)
        let world: @Sendable () -> ProgramWorld? = { shared.withLock { $0 } }
        let pda = try LoopbackServer.answering { world()?.answer($0) ?? .reset }
        defer { pda.stop() }
        let source = try LoopbackServer.answering { _ in
            .whole(200, (world()?.state.withLock { $0.things } ?? []).joined(separator: "\n"))
        }
        defer { source.stop() }
        defer { shared.withLock { $0 = nil } }
        try await BuiltProgram.withFolder { folder in
            let made = ProgramWorld(folder, pda: pda, source: source, State())
            shared.withLock { $0 = made }
            try HandmadeToken.write(application: "taps", of: pda.authority, to: folder + "/token")
            try made.write()
            try FileManager.default.copyItem(atPath: Self.tap, toPath: folder + "/tap.py")
            try await body(made)
        }
    }

    /// Writes the plug.
    ///
    /// - Parameters:
    ///   - config: What stands in the program's configuration beside the source's address, as YAML.
    ///   - exec: What stands in `exec` beside the rest.
    ///   - key: The keys of both streams.
    ///   - streams: The streams that it has.
    ///   - copied: The program's stream that `copies` is made of.
    func write(
        config: String = "",
        exec: String = "",
        key: String = "",
        streams: [String] = ["things", "notes"],
        copied: String = "things"
    ) throws {
        let streams = streams.map { name in
            // A copy of the things, too, is a stream.
            "  \(name): {endpoint: \(name), version: none\(key)\(name == "copies" ? ", tap_stream: \(copied)" : "")}"
        }.joined(separator: "\n")
        try Data(
            """
            plug: taps
            api: 1
            version: 1.0.0
            hosts: ["\(source.authority)"]
            config: {token: {type: string, secret: true}}
            exec:
              command: [./tap.py]
              config: {url: "http://\(source.authority)/"\(config.isEmpty ? "" : ", " + config)}\(exec.isEmpty ? "" : "\n  " + exec)
            streams:
            \(streams)

            """.utf8
        ).write(to: URL(filePath: folder + "/plug.yaml"))
    }

    /// - Parameter isTrusted: Whether the program runs without a sandbox.
    func arguments(_ more: [String] = [], isTrusted: Bool = true) -> [String] {
        [
            "run", folder + "/plug.yaml", "--state", folder + "/state", "--json", "--allow-network", "127.0.0.0/8",
            "--connection", "ada", "--pda", "http://\(pda.authority)", "--token-file", folder + "/token",
        ] + (isTrusted ? ["--trust-programs"] : []) + more
    }

    func run(_ more: [String] = [], isTrusted: Bool = true) async throws -> BuiltProgram.Ended {
        try await BuiltProgram.run(arguments(more, isTrusted: isTrusted), in: folder)
    }

    /// Things with these numbers, which changed in their order.
    func add(_ numbers: ClosedRange<Int>) {
        state.withLock { state in
            state.things += numbers.map { #"{"id": \#($0), "changed": \#($0), "price": \#($0).10}"# }
        }
    }

    func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }
    func hear(_ hearer: (@Sendable () -> Void)?) { state.withLock { $0.hearer = hearer } }

    var stored: [String] { state.withLock { $0.stored.map(\.identity) } }
    var texts: [String] { state.withLock { $0.stored.map(\.text) } }

    /// The `_id`s of things and notes with these numbers, sorted.
    static func identities(_ numbers: ClosedRange<Int>) -> [String] {
        (numbers.map { "taps/things/\($0)" } + numbers.filter { $0 % 3 == 0 }.map { "taps/notes/\($0)" }).sorted()
    }

    /// What the program has told of its starts, one by one.
    func starts() throws -> [JSONValue] {
        let text = (try? String(contentsOfFile: folder + "/starts", encoding: .utf8)) ?? ""
        return try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    /// A PDA that refuses what it has, all of it or, where it is asked so, that alone.
    private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
        let hearer = state.withLock { $0.hearer }
        hearer?()
        return state.withLock { state in
            if state.isDown { return .reset }
            let records = (try? JSONValue(parsing: request.body))?.elements ?? []
            let known = Set(state.stored.map(\.identity))
            let fresh = records.filter { !known.contains($0["_id"]?.stringText ?? "") }
            if fresh.count < records.count, !request.target.contains("?") {
                return .whole(400, #"{"message":"Bad Request","cause":"Duplicate data - Duplicate data"}"#)
            }
            state.stored += fresh.map { ($0["_id"]?.stringText ?? "", $0.compactText) }
            let path = request.target.split(separator: "?")[0].dropFirst("/api/v2.6/data/".count)
            let echo = fresh.map { #"{"endpoint":"\#(path)","recordId":"9b","data":\#($0.compactText)}"# }
            return .whole(201, "[\(echo.joined(separator: ","))]")
        }
    }
}
