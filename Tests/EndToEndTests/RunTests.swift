import CurlTransport
import Foundation
import LosslessJSON
import TestKit
import Testing

/// `plughost run` as a process, from a service on loopback into a sandbox that is a process as well.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct RunTests {
    private static let pages = 6
    /// As the PDA gives them back: it keeps its members as jsonb does, short names first.
    private static let all = (0..<(pages * PagedSource.pageSize)).map {
        #"{"id":1844674407370955\#(1616 + $0),"_id":"paged/items/1844674407370955\#(1616 + $0)","price":1.10}"#
    }

    /// A service, a sandbox with the plug set up in it, and the command line of a run.
    private struct World {
        let source: PagedSource
        let folder: String
        let url: String
        let arguments: [String]

        func run(_ more: String...) async throws -> BuiltProgram.Ended {
            try await BuiltProgram.run(arguments + more, in: folder)
        }

        func start() throws -> BuiltProgram.Running { try BuiltProgram.start(arguments, in: folder) }

        /// What the PDA holds, as its owner reads it, by `_id`.
        func stored() async throws -> [String] {
            var policy = NetworkPolicy()
            policy.trustedPDAs = [try HTTPURL(url).hostAndPort]
            let transport = try HTTPTransport(policy: policy)
            let password = try String(contentsOfFile: folder + "/sandbox/password", encoding: .utf8).dropLast()
            let login = try await transport.send(
                HTTPRequest(
                    url: url + "/users/access_token",
                    headers: [HTTPHeader("username", "owner"), HTTPHeader("password", String(password))],
                    side: .pda
                )
            )
            let token = try JSONValue(parsing: login.body.withBytes { Array($0) })["accessToken"]?.stringText ?? ""
            let answer = try await transport.send(
                HTTPRequest(
                    url: url + "/api/v2.6/data/paged/items?orderBy=_id&take=1000",
                    headers: [HTTPHeader("X-Auth-Token", token), HTTPHeader("Accept", "application/json")],
                    side: .pda
                )
            )
            await transport.shutDown()
            guard case .array(let records) = try JSONValue(parsing: answer.body.withBytes { Array($0) }) else {
                return []
            }
            return records.compactMap { $0["data"]?.compactText }
        }
    }

    /// - Parameter http: What stands in `http` beside the base.
    private func withWorld(_ http: String = "", _ body: (World) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "plughost-run-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let source = try PagedSource(pages: Self.pages)
        defer { source.stop() }
        try Data(
            """
            plug: paged
            api: 1
            version: 1.0.0
            hosts: ["\(source.authority)"]
            config: {secret: {type: string, secret: true}}
            http: {base: "http://\(source.authority)"\(http)}
            streams:
              items:
                endpoint: items
                request: {path: /0}
                records: .items
                page: {next: .next}
                key: [.id]
                version: none
                map: '{id, price}'

            """.utf8
        ).write(to: URL(filePath: folder + "/plug.yaml"))
        try await BuiltProgram.withSandbox(folder + "/sandbox", in: folder) { _, told in
            let url = try #require(told["url"]?.stringText)
            let token = folder + "/token"
            let setUp = ["sandbox", "token", folder + "/plug.yaml", "--state", folder + "/sandbox", "--out", token]
            #expect(try await BuiltProgram.run(setUp, in: folder).status == 0)
            let arguments = [
                "run", folder + "/plug.yaml", "--pda", url, "--token-file", token, "--state", folder + "/state",
                "--json", "--allow-network", "source=127.0.0.0/8",
            ]
            try await body(World(source: source, folder: folder, url: url, arguments: arguments))
        }
    }

    private func counts(_ ended: BuiltProgram.Ended) throws -> String {
        let report = try JSONValue(parsing: ended.output)
        let names = ["fetched", "delivered", "known", "duplicates", "undelivered"]
        let counts = names.map { "\($0) \(report["streams"]?["items"]?[$0]?.compactText ?? "-")" }
        return "\(ended.status) \(report["outcome"]?.stringText ?? "-"): " + counts.joined(separator: ", ")
    }

    @Test func deliversEveryDigitOnceAndIsSilentAfterwards() async throws {
        try await withWorld { world in
            let first = try counts(try await world.run())
            #expect(first == "0 done: fetched 60, delivered 60, known 0, duplicates 0, undelivered 0")
            #expect(try await world.stored() == Self.all)
            let second = try counts(try await world.run())
            #expect(second == "0 done: fetched 60, delivered 0, known 60, duplicates 0, undelivered 0")
            #expect(try await world.stored() == Self.all)
        }
    }

    @Test func runsOneAfterAnotherKeepToOneRate() async throws {
        try await withWorld(", limits: [{rate: 5/2s}]") { world in
            #expect(try await world.run().status == 0)
            // Killed in the middle, and gone on at once.
            world.source.hold(2)
            let running = try world.start()
            await world.source.waitForTheHeldPage()
            kill(running.process.processIdentifier, SIGKILL)
            _ = try await running.finish()
            world.source.hold(nil)
            #expect(try await world.run().status == 0)
            let arrivals = world.source.arrivals
            #expect(arrivals.count >= 6 + 3 + 3)
            // A service on a busy machine notices requests late, so that six may seem closer than they were sent. But the
            // second of seven is sent when the first has come, and the seventh two seconds after the second.
            for (first, seventh) in zip(arrivals, arrivals.dropFirst(6)) { #expect(seventh - first >= .seconds(2)) }
        }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func anInterruptedRunSaysSoAndTheNextContinues(signal: Int32, status: Int32) async throws {
        try await withWorld { world in
            world.source.hold(3)
            let running = try world.start()
            await world.source.waitForTheHeldPage()
            kill(running.process.processIdentifier, signal)
            let ended = try await running.finish()
            #expect(ended.status == status)
            #expect(try JSONValue(parsing: ended.output)["outcome"] == .text("interrupted"))
            world.source.hold(nil)
            #expect(try await world.run().status == 0)
            #expect(try await world.stored() == Self.all)
        }
    }

    @Test func aKilledRunLosesAndDoublesNothing() async throws {
        try await withWorld { world in
            for page in 1..<Self.pages {
                world.source.hold(page)
                let running = try world.start()
                await world.source.waitForTheHeldPage()
                kill(running.process.processIdentifier, SIGKILL)
                #expect(try await running.finish().status == SIGKILL)
            }
            world.source.hold(nil)
            #expect(try await world.run().status == 0)
            #expect(try await world.stored() == Self.all)
        }
    }

    @Test func aSecondRunOfAConnectionIsToldWhoHasIt() async throws {
        try await withWorld { world in
            world.source.hold(1)
            let running = try world.start()
            await world.source.waitForTheHeldPage()
            let second = try await world.run()
            #expect(second.status == 75)
            let error = try JSONValue(parsing: second.output)["error"]
            #expect(error?["code"] == .text("state-locked"))
            #expect(error?["message"]?.stringText?.contains("\(running.process.processIdentifier)") == true)
            kill(running.process.processIdentifier, SIGTERM)
            #expect(try await running.finish().status == 143)
        }
    }

    @Test func aDryRunPrintsRecordsAndKeepsNothing() async throws {
        try await withWorld { world in
            let arguments = world.arguments.filter { $0 != "--json" } + ["--dry-run"]
            let ended = try await BuiltProgram.run(arguments, in: world.folder)
            #expect(ended.status == 0)
            #expect(ended.output.split(separator: "\n").count == 60)
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/state"))
            #expect(try await world.stored() == [])
        }
    }

    @Test func aSecretOnTheCommandLineIsRefusedAndNotRepeated() async throws {
        try await withWorld { world in
            let ended = try await world.run("--config", "secret=hunter2")
            #expect(ended.status == 64)
            #expect(try JSONValue(parsing: ended.output)["error"]?["code"] == .text("open-secret"))
            #expect(!(ended.output + ended.errors).contains("hunter2"))
        }
    }
}
