import Cryptography
import Foundation
import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugHostCLI

/// Notices of a host that serves, from a failure to its cure: the whole command with its sockets and its store, over days of a
/// clock that only the test moves.
@Suite(.fewAtATime)
struct ServedNoticesTests {
    /// A service, two PDAs, a receiver of notices, and what is on a disk.
    private struct World {
        static let minute = Duration.seconds(60)

        let folder: String
        let receiver: KeepingServer
        let clock = SteppedClock(seconds: 1_795_000_000)

        func command(_ arguments: [String], errors: TextSink = TextSink()) async -> (
            status: PlugCore.ExitStatus, errors: String
        ) {
            let context = CommandContext(
                output: TextSink(),
                errors: errors,
                environment: ["HOME": folder],
                clock: clock,
                ask: nil
            )
            let status = await PlugHostProgram.run(arguments + ["--state", folder + "/state"], in: context)
            return (status, errors.text)
        }

        private func token(of pda: String) -> String {
            let claims =
                #"{"iss":"\#(pda)","sub":"ada","iat":1794999940,"exp":1799999999,"application":"plain"}"#
            let payload = Data(claims.utf8).base64EncodedString().filter { $0 != "=" }
            return "e30.\(payload.replacing("+", with: "-").replacing("/", with: "_")).c2ln"
        }

        func add(_ name: String, pda: String) async throws {
            try FilesHere.write(token(of: pda), to: "\(folder)/token")
            let ended = await command([
                "connection", "add", name, folder + "/plug.yaml", "--pda", "http://\(pda)", "--token-file",
                folder + "/token",
                "--every", "1h",
            ])
            #expect(ended.status == .done, "\(ended)")
        }

        /// Serves until the body has ended; `told` are the lines of the log.
        func serving(_ body: (_ told: Watched<String>) async throws -> Void) async throws {
            let pipe = Pipe()
            let told = Watched("")
            pipe.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                if !data.isEmpty { told.change { $0 += String(decoding: data, as: UTF8.self) } }
            }
            defer { pipe.fileHandleForReading.readabilityHandler = nil }
            let looks = clock.limits(of: Self.minute) + 2
            let sink = TextSink(descriptor: pipe.fileHandleForWriting.fileDescriptor, isBuffered: false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = await command(
                        [
                            "serve", folder + "/plug.yaml", "--listen", "127.0.0.1:0", "--allow-network", "127.0.0.0/8",
                            "--config", folder + "/host.yaml",
                        ],
                        errors: sink
                    )
                    // Somebody may wait for a line that never comes.
                    told.change { $0 += "ada: done, bob: done, until the person connects again" }
                }
                await clock.until(limits: looks, of: Self.minute)
                try await body(told)
                group.cancelAll()
            }
        }

        /// Lets time pass at once, and what looks every minute look: for notices, and for changes of the host's key.
        func pass(_ time: Duration) async {
            let looks = clock.limits(of: Self.minute) + 2
            clock.advance(time)
            await clock.until(limits: looks, of: Self.minute)
        }

        /// Lets minutes pass, one after the other.
        func pass(minutes: Int) async { for _ in 0..<minutes { await pass(Self.minute) } }

        /// Compares the causes of each notice that has come, each of them signed.
        func expect(_ expected: [[String]], at location: SourceLocation = #_sourceLocation) throws {
            let notices = try receiver.requests.map { request in
                let (id, time) = (request.header("webhook-id") ?? "", request.header("webhook-timestamp") ?? "")
                let code = HMAC.code(
                    for: Array("\(id).\(time).".utf8) + request.body,
                    key: SecretBytes(Array("hush".utf8))
                )
                #expect(request.header("webhook-signature") == "v1,\(Base64.encoded(code))")
                let causes = try JSONValue(parsing: request.body)["causes"]?.elements ?? []
                return causes.map { cause in
                    let names = cause["examples"]?.elements?.compactMap { $0["connection"]?.stringText } ?? []
                    return "\(cause["kind"]?.stringText ?? "") \(cause["new"]?.compactText ?? "") \(names.sorted())"
                }
            }
            #expect(notices == expected, sourceLocation: location)
        }
    }

    /// Answers with an array that echoes what was posted, or refuses the token.
    private static func pda(refusing isRefusing: @escaping @Sendable () -> Bool = { false }) throws -> LoopbackServer {
        try LoopbackServer { connection in
            while let request = connection.next() {
                let records = (try? JSONValue(parsing: request.body))?.elements ?? []
                let echo = records.map { #"{"endpoint":"plain/items","recordId":"9b","data":\#($0.compactText)}"# }
                let (status, body) = isRefusing() ? (401, "{}") : (201, "[\(echo.joined(separator: ","))]")
                guard connection.answer(status, ["Content-Type: application/json"], Array(body.utf8)) else { return }
            }
        }
    }

    /// Whether a log tells of a run of a connection that has ended and was let in.
    private static func hasRun(_ name: String, _ log: String) -> Bool {
        log.contains("\(name): done") || log.contains("\(name): partial")
    }

    @Test func aFailureIsToldOnceADayAlsoAfterARestartAndNoMoreAfterItsCure() async throws {
        // Records without the key are refused for good.
        let misfits = Mutex(1)
        let source = try LoopbackServer { connection in
            while connection.next() != nil {
                let good = (1...9).map { #"{"id":\#($0)}"# }
                let bad = (1...misfits.withLock { $0 }).map { #"{"text":"misfit \#($0)"}"# }
                let body = #"{"items":[\#((good + bad).joined(separator: ","))]}"#
                guard connection.answer(200, ["Content-Type: application/json"], Array(body.utf8)) else { return }
            }
        }
        let refusing = Mutex(true)
        let (well, ill) = (try Self.pda(), try Self.pda { refusing.withLock { $0 } })
        let receiver = try KeepingServer()
        defer {
            for server in [source, well, ill] { server.stop() }
            receiver.stop()
        }
        try await Program.withFolder { folder in
            let world = World(folder: folder, receiver: receiver)
            let stream = "{endpoint: items, request: {path: /items}, records: .items, key: .id, version: none}"
            try FilesHere.write(
                """
                plug: plain
                api: 1
                version: 1.0.0
                hosts: ["\(source.authority)"]
                http: {base: "http://\(source.authority)", retry: {tries: 1}}
                streams: {items: \(stream)}

                """,
                to: folder + "/plug.yaml"
            )
            let target = #"{webhook: {url: "\#(receiver.origin)/hook", secret: {file: hook}}}"#
            try FilesHere.write("notify: {ops: \(target)}\n", to: folder + "/host.yaml")
            for (name, text) in [("hook", "hush"), ("token", "")] {
                try FilesHere.write(text, to: "\(folder)/\(name)")
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
            }
            try await world.add("ada", pda: well.authority)
            try await world.add("bob", pda: ill.authority)
            let first = [#"dead-letters 2 ["ada", "bob"]"#, #"reconnect 1 ["bob"]"#]
            try await world.serving { told async throws in
                await told.wait { Self.hasRun("ada", $0) && $0.contains("until the person connects again") }
                await world.pass(minutes: 4)
                try world.expect([])
                // What goes to a journal has no link that lets somebody in.
                #expect(told.value.contains("'plughost operator link' prints") && !told.value.contains("token="))
                // What is found is gathered for five minutes.
                var minutes = 4
                while receiver.requests.isEmpty, minutes < 20 {
                    await world.pass(minutes: 1)
                    minutes += 1
                }
                #expect(minutes == 6)
                try world.expect([first])
            }
            // The next process, in which it is more: still the same day.
            misfits.withLock { $0 = 3 }
            try await world.serving { told async throws in
                await world.pass(.seconds(3600))
                await told.wait { Self.hasRun("ada", $0) }
                await world.pass(minutes: 10)
                try world.expect([first])
            }
            // A day later what has come since is told, and what is as it was is not told again.
            world.clock.advance(.seconds(86_400))
            let second = [#"dead-letters 2 ["ada", "bob"]"#]
            try await world.serving { told async throws in
                await told.wait { Self.hasRun("ada", $0) }
                await world.pass(minutes: 10)
                try world.expect([first, second])
            }
            // The cure: the records are given up, the person is connected again.
            refusing.withLock { $0 = false }
            misfits.withLock { $0 = 1 }
            let dropped = await world.command(["deadletters", "drop", "--all", "--yes"])
            #expect(dropped.status == .done, "\(dropped)")
            let resumed = await world.command(["connection", "resume", "bob", "--reconnect"])
            #expect(resumed.status == .done, "\(resumed)")
            try await world.serving { told async throws in
                await told.wait { Self.hasRun("bob", $0) }
                // Less than three days after the first one: then a PDA's token would be too old.
                await world.pass(.seconds(86_400))
                await world.pass(minutes: 10)
            }
            try world.expect([first, second])
        }
    }
}
