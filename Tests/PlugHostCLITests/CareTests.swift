import Foundation
import LosslessJSON
import PlugCore
import PlugRuntime
import PlugStorage
import TestKit
import Testing

@testable import PlugHostCLI

/// What an operator is told, and what brings things back, where something went wrong.
struct CareTests {
    private let clock = MovableClock()

    /// A state folder with some connections of a plug, by their states; those whose names begin with `old` have run.
    private func withState(
        _ connections: [(String, ConnectionSetup.Status)],
        _ body: (String) async throws -> Void
    ) async throws {
        try await Program.withFolder { folder in
            let path = folder + "/state"
            let store = try await SQLiteStore.open(
                folder: path,
                access: .write(wait: .zero),
                credentials: nil,
                clock: clock
            )
            for (name, status) in connections {
                let id = ConnectionID(name)
                let plug = name.hasSuffix("q") ? "q" : "p"
                _ = try await store.openConnection(id, plug: plug, pda: "https://ada.example")
                let setup = ConnectionSetup(status: status, dueAt: nil, content: Secret("{}"))
                try await store.keepSetup(setup, of: id, AuditEntry(at: 1, who: "shell", what: "added"))
                if name.hasPrefix("old") {
                    let run = try await store.beginRun(RunStart(connection: id, version: "1.0.0", at: 1))
                    try await store.endRun(run, outcome: "failed", report: [])
                }
            }
            await store.close()
            try await body(path)
        }
    }

    private func statuses(_ state: String) async -> [String] {
        let listed = await Program.run(["connection", "list", "--json", "--state", state], clock: clock)
        return listed.json.map { "\($0["connection"]?.stringText ?? "") \($0["status"]?.stringText ?? "")" }
    }

    @Test func connectionsThatAWrongClockGaveUpAreTakenUpAgainAtOnce() async throws {
        let all: [(String, ConnectionSetup.Status)] = [
            ("new", .reconnect), ("old-1", .reconnect), ("old-2", .paused), ("old-3", .reconnect),
            ("old-q", .reconnect),
        ]
        try await withState(all) { state in
            let resume = ["connection", "resume", "--reconnect", "--state", state]
            let some = await Program.run(resume + ["--plug", "p"], clock: clock)
            #expect(some.output == "resumed 2 connections\n" && some.status == .done, "\(some)")
            #expect(
                await statuses(state) == [
                    "new reconnect", "old-1 active", "old-2 paused", "old-3 active", "old-q reconnect",
                ]
            )
            let rest = await Program.run(resume + ["--json"], clock: clock)
            #expect(rest.output == "{\"resumed\":1}\n")
            #expect(await Program.run(["connection", "resume", "--state", state]).status == .usage)
            let both = ["connection", "resume", "a", "--reconnect", "--plug", "p", "--state", state]
            #expect(await Program.run(both).status == .usage)
        }
    }

    @Test func aConnectionThatWaitsForItsPersonIsNotRunOnRequest() async throws {
        try await withState([("old-1", .reconnect), ("old-2", .disabled)]) { state in
            for (name, wish) in [("old-1", "run"), ("old-1", "resume"), ("old-2", "run"), ("old-2", "resume")] {
                let refused = await Program.run(["connection", wish, name, "--state", state], clock: clock)
                #expect(refused.status == .authorisation, "\(wish) \(name)")
                #expect(refused.errors.contains("error: [connection-waits]"), "\(refused)")
            }
            #expect(await statuses(state) == ["old-1 reconnect", "old-2 disabled"])
            // The operator knows that the owner has enabled it again.
            let resume = ["connection", "resume", "old-2", "--reconnect", "--state", state]
            #expect(await Program.run(resume, clock: clock).status == .done)
            #expect(await statuses(state) == ["old-1 reconnect", "old-2 active"])
        }
    }

    @Test func aConnectionThatCannotBeErasedNowIsSaidToBePaused() async throws {
        try await withState([("old-1", .active)]) { state in
            let store = try await SQLiteStore.open(
                folder: state,
                access: .write(wait: .zero),
                credentials: nil,
                clock: clock
            )
            let lease = try await store.lease(ConnectionID("old-1"))
            let arguments = ["connection", "remove", "old-1", "--erase", "--yes", "--state", state]
            let ended = await Program.run(arguments, clock: clock)
            #expect(ended.status == .tryLater)
            #expect(ended.errors.contains("It is paused now, so that no host starts it again"), "\(ended.errors)")
            #expect(ended.errors.contains("'plughost connection resume' keeps it"))
            lease.end()
            await store.close()
            #expect(await statuses(state) == ["old-1 paused"])
        }
    }

    @Test(.enabled(if: ScratchSpace.canBeSmall)) func aHostWhoseDiskIsFullIsNotReady() throws {
        let space = try ScratchSpace()
        defer { space.remove() }
        #expect(space.becomeSmall(bytes: 1 << 20))
        defer { space.unmount() }
        do {
            try MachineChecks.checkRoom(at: space.path)
            Issue.record("a disk of 1 MiB has room")
        } catch {
            #expect(error.code == .diskFull && error.message == "the disk of \(space.path) is full")
        }
    }

    @Test func theLineOfARunWithDeadLettersSaysWhereTheyAre() {
        var report = RunReport(plug: "p", connection: "ada", pda: "https://ada.example")
        report.outcome = .partial
        var counts = StreamCounts()
        (counts.pages, counts.fetched, counts.delivered, counts.deadLetters) = (1, 2, 1, 1)
        report.streams = [("s", counts)]
        let end = ClaimEnd(status: .active, dueAt: 1_795_000_000_000_000, at: 0)
        #expect(
            ServeLog.text(report, end)
                == "ada: partial, 2 records: 1 delivered, 1 dead letter; 'plughost deadletters list' says why; "
                + "next 2026-11-18T11:06:40Z"
        )
    }

    @Test func aStateSaysWhatAnUpgradeWouldDo() async throws {
        try await withState([("old-1", .active)]) { state in
            let told = await Program.run(["state", "migrate", "--dry-run", "--state", state])
            #expect(
                told.output == "the state is of version 17, which is this plughost's: nothing to do\n"
                    && told.status == .done
            )
            let done = await Program.run(["state", "migrate", "--json", "--state", state])
            #expect(
                done.json.first?["from"] == done.json.first?["to"] && done.json.first?["done"]?.compactText == "true"
            )
            let none = await Program.run(["state", "migrate", "--dry-run", "--state", state + "/none"])
            #expect(none.status == .configuration && none.errors.contains("state-missing"))
        }
    }
}
