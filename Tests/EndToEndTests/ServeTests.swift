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
        errors: Pipe? = nil,
        variables: [String: String] = [:],
        _ body: (BuiltProgram.Running, String) async throws -> Void
    ) async throws -> BuiltProgram.Ended {
        try await serving("plain", in: world.folder, more, errors: errors, variables: variables, body)
    }

    /// A host that listens and serves the plug of a folder.
    func serving(
        _ plug: String,
        in folder: String,
        _ more: [String] = [],
        errors: Pipe? = nil,
        variables: [String: String] = [:],
        _ body: (BuiltProgram.Running, String) async throws -> Void
    ) async throws -> BuiltProgram.Ended {
        let pipe = Pipe()
        let command = [
            "serve", folder + "/plug.yaml", "--listen", "127.0.0.1:0", "--json", "--state", folder + "/state",
            "--allow-network", "127.0.0.0/8",
        ]
        let running = try BuiltProgram.start(
            command + more,
            in: folder,
            output: pipe,
            errors: errors,
            variables: variables
        )
        do {
            // Its first line says that it listens.
            let line = try await blocking { pipe.fileHandleForReading.availableData }
            let ready = try JSONValue(parsing: Array(line))
            #expect(ready["plugs"] == .array([.text(plug)]))
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
            let errors = Pipe()
            let told = lines(of: errors)
            // A run has ended when the host says so, not when the PDA has its record.
            let ended = try await serving(world, errors: errors) { _, _ async throws in
                await told.wait { $0.contains("ada: done") }
                // One that is made while the host runs, and one that is resumed.
                try await add("eve", world)
                await told.wait { $0.contains("eve: done") }
                let resumed = try await connection("resume", "bob", of: world)
                #expect(resumed?["status"] == .text("active"))
                await told.wait { $0.contains("bob: done") }
            }
            #expect(ended.status == 0, "\(ended)")
            #expect(stored.value.count == 3)
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
            #expect(ended.errors.contains("1 unfinished runs continue"), "\(ended)")
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

    /// The host's lines as they come.
    func lines(of pipe: Pipe) -> Watched<String> {
        let text = Watched("")
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if !data.isEmpty { text.change { $0 += String(decoding: data, as: UTF8.self) } }
        }
        return text
    }

    @Test func everyLineOfALogForProgramsIsAnObject() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            try await add("ada", world)
            let file = URL(filePath: world.folder + "/host.yaml")
            try Data("schedule: {every: 30d}\n".utf8).write(to: file)
            let errors = Pipe()
            let told = lines(of: errors)
            let form = ["--config", file.path, "--log-format", "json"]
            _ = try await serving(world, form, errors: errors) { running, _ async throws in
                await told.wait { $0.contains("ada: done") }
                try Data("schedule: {every: 30 days}\noperatrs: [x]\n".utf8).write(to: file)
                kill(running.process.processIdentifier, SIGHUP)
                await told.wait { $0.contains("the plugs stay as they were") }
            }
            var objects: [JSONValue] = []
            for line in told.value.split(separator: "\n") { objects.append(try JSONValue(parsing: Array(line.utf8))) }
            let mistake = objects.first { $0["code"] == .text("unknown-key") }
            #expect(mistake?["help"] == .text("did you mean 'operators'?"), "\(told.value)")
            #expect(mistake?["place"]?.stringText?.hasSuffix("host.yaml:2:1") == true)
            #expect(objects.allSatisfy { $0["message"]?.stringText?.contains("\n") == false })
            let refused = objects.first { $0["event"] == .text("reload-refused") }
            #expect(refused?["help"]?.stringText?.hasPrefix("correct the errors above") == true)
            let broken = try await BuiltProgram.run(["serve"] + form, in: world.folder)
            #expect(broken.status == 78)
            for line in broken.errors.split(separator: "\n") { _ = try JSONValue(parsing: Array(line.utf8)) }
        }
    }

    @Test func aReloadTakesOverTheScheduleAndRefusesWhatIsWrong() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            let add = [
                "connection", "add", "ada", world.folder + "/plug.yaml", "--pda", "http://\(world.pda.authority)",
                "--token-file", world.folder + "/token", "--state", world.folder + "/state",
            ]
            #expect(try await BuiltProgram.run(add, in: world.folder).status == 0)
            let file = URL(filePath: world.folder + "/host.yaml")
            try Data("schedule: {every: 30d}\n".utf8).write(to: file)
            let errors = Pipe()
            let told = lines(of: errors)
            let ended = try await serving(world, ["--config", file.path], errors: errors) { running, _ async throws in
                await told.wait { $0.contains("ada: done") }
                let before = try #require(try await connection("show", "ada", of: world)?["due"]?.stringText)
                try Data("schedule: {every: 30 days}\n".utf8).write(to: file)
                kill(running.process.processIdentifier, SIGHUP)
                await told.wait { $0.contains("the plugs stay as they were") }
                #expect(try await connection("show", "ada", of: world)?["due"] == .text(before))
                try Data("schedule: {every: 1m}\n".utf8).write(to: file)
                kill(running.process.processIdentifier, SIGHUP)
                await told.wait { $0.contains("1 connections are due at other times now") }
                let after = try #require(try await connection("show", "ada", of: world)?["due"]?.stringText)
                // Both are times in one notation.
                #expect(after < before)
            }
            #expect(ended.status == 0, "\(ended)")
        }
    }

    @Test func systemdIsToldOfEachStateOfTheHost() async throws {
        let socket = try NotifySocket("@plughost-\(UUID().uuidString)")
        let ready = "READY=1\nSTATUS=serving 1 plugs"
        try await PlainWorld.with(source: Source().answer) { world in
            let ended = try await serving(world, variables: ["NOTIFY_SOCKET": socket.name]) { running, _ async throws in
                #expect(try await socket.message() == ready)
                kill(running.process.processIdentifier, SIGHUP)
                #expect(try await socket.message().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
                #expect(try await socket.message() == ready)
                // `serving` ends it.
            }
            #expect(ended.status == 0, "\(ended)")
            #expect(try await socket.message() == "STOPPING=1")
        }
    }

    @Test func aDrainLetsRunsEndAndASecondSignalEndsIt() async throws {
        let source = Source()
        source.holds.withLock { $0 = true }
        try await PlainWorld.with(source: source.answer) { world in
            try await add("ada", world)
            let errors = Pipe()
            let told = lines(of: errors)
            let ended = try await serving(world, ["--drain", "1h"], errors: errors) { running, url async throws in
                await source.asked.wait { $0.count == 1 }
                running.process.terminate()
                // The scheduler ends first, the server after it: while runs go on, it answers.
                var policy = NetworkPolicy()
                policy.allowedPDANetworks = [try #require(CIDR("127.0.0.0/8"))]
                let transport = try HTTPTransport(policy: policy)
                let alive = try await transport.send(HTTPRequest(url: "\(url)/healthz", side: .pda))
                #expect(alive.status == 200)
                await transport.shutDown()
                // `serving` sends the second signal.
            }
            #expect(ended.status == 0, "\(ended)")
            await told.wait { $0.contains("stopped") }
            #expect(told.value.contains("ada: interrupted"))
        }
    }

    @Test func aPDAThatIsAwayIsTriedLaterAndHoldsNobodyUp() async throws {
        let source = Source()
        let away = Mutex(true)
        let posted = Watched(0)
        try await PlainWorld.with(source: source.answer) { request in
            posted.change { $0 += 1 }
            return away.withLock { $0 } ? .whole(503, "{}") : PlainWorld.taking(request)
        } _: { world in
            try await add("ada", world)
            let errors = Pipe()
            let told = lines(of: errors)
            let ended = try await serving(world, errors: errors) { _, _ async throws in
                await told.wait { $0.contains("ada: ") && $0.contains("next ") }
                #expect(try await connection("show", "ada", of: world)?["status"] == .text("active"))
                away.withLock { $0 = false }
                // Somebody asks for it; what waited is delivered.
                #expect(try await connection("resume", "ada", of: world)?["status"] == .text("active"))
                await told.wait { $0.contains("ada: done") }
            }
            #expect(ended.status == 0, "\(ended)")
        }
    }
}
