import CurlTransport
import Foundation
import Glibc
import LosslessJSON
import Synchronization
import TestKit
import Testing

/// `serve` as a process, with connections that `connection add` has made.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct ServeTests {
    /// A service that counts who asks, and can hold an answer back.
    final class Source: Sendable {
        let asked = Watched<[String]>([])
        let holds = Mutex(false)

        func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Answer {
            let name = String(request.target.dropFirst())
            let isHeld = holds.withLock { $0 }
            asked.change { $0.append(name) }
            return isHeld ? .none : .whole(200, #"{"items":[{"id":"\#(name)"}]}"#)
        }
    }

    func add(_ name: String, _ world: PlainWorld, _ more: [String] = []) async throws {
        let command = [
            "connection", "add", name, world.folder + "/plug.yaml", "--config", "user=\(name)", "--pda",
            "http://\(world.pda.authority)", "--token-file", world.folder + "/token", "--state",
            world.folder + "/state",
            "--every", "1d",
        ]
        let ended = try await BuiltProgram.run(command + more, in: world.folder)
        #expect(ended.status == 0, "\(ended)")
    }

    func connection(_ arguments: String..., of world: PlainWorld) async throws -> JSONValue? {
        let state = ["--state", world.folder + "/state", "--json"]
        let ended = try await BuiltProgram.run(["connection"] + arguments + state, in: world.folder)
        #expect(ended.status == 0, "\(ended)")
        return try JSONValue(parsing: ended.output)
    }

    /// A host that listens, with its address.
    func serving(
        _ world: PlainWorld,
        _ more: [String] = [],
        _ body: (BuiltProgram.Running, String) async throws -> Void
    ) async throws -> BuiltProgram.Ended {
        let pipe = Pipe()
        let command = [
            "serve", world.folder + "/plug.yaml", "--listen", "127.0.0.1:0", "--json", "--state",
            world.folder + "/state", "--allow-network", "127.0.0.0/8",
        ]
        let running = try BuiltProgram.start(command + more, in: world.folder, output: pipe)
        do {
            // Its first line says that it listens.
            let line = try await blocking { pipe.fileHandleForReading.availableData }
            let ready = try JSONValue(parsing: Array(line))
            #expect(ready["plugs"] == .array([.text("plain")]))
            try await body(running, try #require(ready["url"]?.stringText))
        } catch {
            running.process.terminate()
            _ = try await running.finish()
            throw error
        }
        running.process.terminate()
        return try await running.finish()
    }

    @Test func whatIsDueIsDeliveredAndDueAgainLater() async throws {
        let source = Source()
        let stored = Watched<[String]>([])
        try await PlainWorld.with(source: source.answer) { request in
            stored.change { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return PlainWorld.taking(request)
        } _: { world in
            try await add("ada", world)
            try await add("bob", world, ["--paused"])
            let ended = try await serving(world) { _, _ in
                await stored.wait { $0.count == 1 }
                // One that is made while the host runs, and one that is resumed.
                try await add("eve", world)
                await stored.wait { $0.count == 2 }
                let resumed = try await connection("resume", "bob", of: world)
                #expect(resumed?["status"] == .text("active"))
                await stored.wait { $0.count == 3 }
            }
            #expect(ended.status == 0, "\(ended)")
            #expect(source.asked.value == ["ada", "eve", "bob"])
            for name in ["ada", "eve", "bob"] {
                let shown = try await connection("show", name, of: world)
                #expect(shown?["status"] == .text("active") && shown?["last_success"]?.isNull == false)
            }
        }
    }

    @Test func aHostThatIsKilledGoesOnAtItsNextStart() async throws {
        let source = Source()
        source.holds.withLock { $0 = true }
        try await PlainWorld.with(source: source.answer) { world in
            try await add("ada", world)
            let killed = try await serving(world) { running, _ in
                await source.asked.wait { $0.count == 1 }
                kill(running.process.processIdentifier, SIGKILL)
            }
            #expect(killed.status == SIGKILL, "\(killed)")
            source.holds.withLock { $0 = false }
            let ended = try await serving(world) { _, _ in await source.asked.wait { $0.count == 2 } }
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.errors.contains("1 runs that were not ended before go on"), "\(ended)")
        }
    }

    @Test func aRunThatIsStoppedIsDueAtOnce() async throws {
        let source = Source()
        source.holds.withLock { $0 = true }
        try await PlainWorld.with(source: source.answer) { world in
            try await add("ada", world)
            let ended = try await serving(world) { _, _ in await source.asked.wait { $0.count == 1 } }
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.errors.contains("ada: interrupted"), "\(ended)")
            source.holds.withLock { $0 = false }
            _ = try await serving(world) { _, _ in await source.asked.wait { $0.count == 2 } }
        }
    }

    @Test func whoHasToConnectAgainIsNotRun() async throws {
        try await PlainWorld.with(source: Source().answer) { _ in
            .whole(401, "{}")
        } _: { world in
            try await add("ada", world)
            let ended = try await serving(world) { _, _ in
                while try await connection("show", "ada", of: world)?["status"] != .text("reconnect") {}
            }
            #expect(ended.errors.contains("not run until the person connects again"), "\(ended)")
        }
    }

    @Test(
        arguments: [
            (["--listen", "nowhere"], 64, "--listen"), (["--state", "/proc/nothing/here"], 78, "error"),
            (["--config", "FOLDER/wrong.yaml"], 78, "[configuration-invalid]"),
            (["FOLDER/nothing"], 78, "[plugs-missing]"),
        ] as [([String], Int32, String)]
    )
    func whatIsWrongIsToldAtTheStart(_ arguments: [String], _ status: Int32, _ text: String) async throws {
        try await BuiltProgram.withFolder { folder in
            try Data("listn: 127.0.0.1:0\n".utf8).write(to: URL(filePath: folder + "/wrong.yaml"))
            let command =
                ["serve", "--state", folder + "/state"] + arguments.map { $0.replacing("FOLDER", with: folder) }
            let ended = try await BuiltProgram.run(command, in: folder)
            #expect(ended.status == status && ended.errors.contains(text), "\(ended)")
        }
    }

    @Test func theHostTellsThatItLivesAndIsReady() async throws {
        try await PlainWorld.with(source: Source().answer) { world in
            _ = try await serving(world) { _, url in
                var policy = NetworkPolicy()
                policy.allowedPDANetworks = [try #require(CIDR("127.0.0.0/8"))]
                let transport = try HTTPTransport(policy: policy)
                for (path, answer) in [("healthz", "alive\n"), ("readyz", "ready\n")] {
                    let response = try await transport.send(HTTPRequest(url: "\(url)/\(path)", side: .pda))
                    #expect(response.status == 200)
                    #expect(response.body.withBytes { String(decoding: $0, as: UTF8.self) } == answer)
                }
                await transport.shutDown()
                let second = try await BuiltProgram.run(
                    [
                        "serve", world.folder + "/plug.yaml", "--listen", "127.0.0.1:0", "--state",
                        world.folder + "/state",
                    ],
                    in: world.folder
                )
                #expect(second.status == 75 && second.errors.contains("[state-served]"), "\(second)")
            }
        }
    }
}
