import CurlTransport
import Foundation
import LosslessJSON
import TestKit
import Testing

/// What an operator sees and does of a host that runs.
extension ServeTests {
    @Test func whatIsCountedIsShownToAKeyOfThatScopeOnly() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            for name in ["ada", "bob"] { try await add(name, world) }
            let errors = Pipe()
            let told = lines(of: errors)
            _ = try await serving(world, errors: errors) { _, url in
                await told.wait { $0.contains("ada: done") && $0.contains("bob: done") }
                try await withTransport { transport in
                    let key = try await program(["apikey", "add", "prometheus", "--scope", "metrics:read"], world)
                    let other = try await program(["apikey", "add", "other", "--scope", "plugs:read"], world)
                    #expect(try await send(transport, "GET", url + "/metrics").status == 401)
                    let refused = try await send(
                        transport,
                        "GET",
                        url + "/metrics",
                        [("Authorization", "Bearer \(other)")]
                    )
                    #expect(refused.status == 403)
                    let shown = try await send(transport, "GET", url + "/metrics", [("Authorization", "Bearer \(key)")])
                    #expect(shown.status == 200)
                    #expect(shown.headers.first("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
                    let lines = shown.text.split(separator: "\n").map(String.init)
                    for line in [
                        #"plughost_runs_total{plug="plain",outcome="done"} 2"#,
                        #"plughost_records_total{plug="plain",fate="delivered"} 2"#,
                        #"plughost_run_duration_seconds_count{plug="plain"} 2"#,
                        "plughost_run_lateness_seconds_count 2", "plughost_runs_active 0",
                        #"plughost_request_duration_seconds_count{side="source",status="2xx"} 2"#,
                        #"plughost_request_duration_seconds_count{side="pda",status="2xx"} 2"#,
                        #"plughost_connections{state="active"} 2"#, #"plughost_connections{state="paused"} 0"#,
                        "plughost_outbox_batches 0", "plughost_dead_letters 0", "plughost_store_failures_total 0",
                    ] {
                        #expect(lines.contains(line), "\(line) in \(shown.text)")
                    }
                    // No label names a connection.
                    #expect(!shown.text.contains("ada") && !shown.text.contains("bob"))
                }
            }
        }
    }

    @Test func aHostThatCrashesLeavesNoMemoryBehind() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            _ = try await serving(world) { host, _ async throws in
                let limits = try String(
                    contentsOfFile: "/proc/\(host.process.processIdentifier)/limits",
                    encoding: .utf8
                )
                let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
                #expect(line.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
            }
        }
    }

    @Test func theLogIsJSONForPrograms() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            try await add("ada", world)
            let errors = Pipe()
            let told = lines(of: errors)
            _ = try await serving(world, ["--log-format", "json"], errors: errors) { _, _ async throws in
                await told.wait { $0.contains("run-ended") }
            }
            let lines = told.value.split(separator: "\n")
            let values = try lines.map { try JSONValue(parsing: String($0)) }
            #expect(values.allSatisfy { $0["time"]?.stringText != nil && $0["event"]?.stringText != nil })
            let ended = try #require(values.first { $0["event"] == .text("run-ended") })
            let shown = ["level", "connection", "plug", "outcome", "fetched", "delivered", "run"]
            #expect(
                shown.map { ended[$0]?.compactText ?? "-" } == [
                    #""info""#, #""ada""#, #""plain""#, #""done""#, "1", "1", "1",
                ]
            )
        }
    }

    @Test func aHostIsBackedUpWhileItRunsAndRestoredElsewhere() async throws {
        let source = Source()
        let stored = Watched<[String]>([])
        try await PlainWorld.with(source: source.answer) { request in
            stored.change { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return PlainWorld.taking(request)
        } _: { world in
            try await add("ada", world)
            let errors = Pipe()
            let told = lines(of: errors)
            let (file, other) = (world.folder + "/backup.db", world.folder + "/other")
            _ = try await serving(world, errors: errors) { _, _ async throws in
                await told.wait { $0.contains("ada: done") }
                let receipt = try JSONValue(parsing: try await program(["backup", file, "--json"], world))
                #expect(receipt["connections"] == .integer(1))
                #expect(receipt["key_file"]?.stringText?.hasSuffix("/state/key") == true)
            }
            let withoutKey = try await BuiltProgram.run(["restore", file, "--state", other], in: world.folder)
            #expect(withoutKey.status == 78 && withoutKey.errors.contains("[key-missing]"), "\(withoutKey)")
            try FileManager.default.copyItem(atPath: world.folder + "/state/key", toPath: other + "/key")
            let restored = try await BuiltProgram.run(["restore", file, "--state", other], in: world.folder)
            #expect(restored.output == "restored 1 connections into \(other)\n", "\(restored)")
            // What was delivered is known: nothing is sent again.
            let again = try await BuiltProgram.run(
                [
                    "run", world.folder + "/plug.yaml", "--connection", "ada", "--config", "user=ada", "--pda",
                    "http://\(world.pda.authority)", "--token-file", world.folder + "/token", "--state", other,
                    "--allow-network", "127.0.0.0/8",
                ],
                in: world.folder
            )
            #expect(again.status == 0, "\(again)")
            #expect(stored.value.count == 1)
        }
    }

    @Test func theDoctorSaysWhatIsWrongAndWhatToDo() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            try await add("ada", world)
            let configuration = world.folder + "/plughost.yaml"
            try "plugs: [\(world.folder)]\n".write(toFile: configuration, atomically: true, encoding: .utf8)
            func doctor() async throws -> (status: Int32, results: [String: JSONValue]) {
                let command = [
                    "doctor", "--config", configuration, "--state", world.folder + "/state", "--json", "--listen",
                    "127.0.0.1:1", "--allow-network", "127.0.0.0/8",
                ]
                let ended = try await BuiltProgram.run(command, in: world.folder)
                let values = try ended.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
                #expect(values.map { $0["number"]?.compactText } == (1...16).map { "\($0)" }, "\(ended)")
                let named = values.map { ($0["name"]?.stringText ?? "", $0) }
                return (ended.status, Dictionary(uniqueKeysWithValues: named))
            }
            func verdicts(_ results: [String: JSONValue], _ names: String...) -> [String?] {
                names.map { results[$0]?["verdict"]?.stringText }
            }
            let (_, well) = try await doctor()
            #expect(
                verdicts(well, "configuration", "plugs", "programs", "state", "key", "connections", "runs")
                    == Array(repeating: "ok", count: 7)
            )
            // Nobody listens on port 1; the PDA answers, if only that it has no such page.
            #expect(verdicts(well, "host", "PDAs") == ["warning", "ok"])
            try FileManager.default.removeItem(atPath: world.folder + "/state/key")
            let (status, ill) = try await doctor()
            #expect(status == 1)
            #expect(verdicts(ill, "state", "key", "connections", "runs") == ["ok", "failure", "skipped", "skipped"])
            #expect(ill["key"]?["cure"]?.stringText?.isEmpty == false)
        }
    }
}
