import PlugCore
import PlugStorage
import Testing

/// What commands ask of the SQLite store beside the contract.
struct OperatorTests {
    private let eve = ConnectionID("eve")
    private let zoe = ConnectionID("zoe")

    @Test func theNewestRunOfEachConnectionIsKnownByItsNumberWhateverTheClockSaid() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store in
                #expect(try await store.newestRuns() == [:])
                for id in [bob, eve, zoe] { _ = try await store.openConnection(id, plug: "p", pda: pda) }
                func run(_ id: ConnectionID, at time: Int64) async throws -> Int64 {
                    try await store.beginRun(RunStart(connection: id, version: "1.0.0", at: time))
                }
                let first = try await run(bob, at: 900)
                try await store.endRun(first, outcome: "done", report: [])
                let second = try await run(eve, at: 100)
                let third = try await run(bob, at: 50)
                #expect(second > first)
                #expect(try await store.newestRuns() == [bob: third, eve: second])
            }
        }
    }

    @Test func streamsThatShareAStateAreRewoundTogether() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                let place = ["": StreamState(Array("place".utf8))]
                for (name, states) in [("a", [:]), ("b", place), (StreamID.shared, place)] {
                    let id = StreamID(connection: bob, stream: name)
                    try await store.commit(StreamCommit(stream: id, pass: 1, states: states))
                }
                #expect(try await store.streamNames(of: bob) == ["a", "b"])
                #expect(await code { _ = try await store.rewind(bob, stream: "b") } == "stream-state-shared")
                #expect(try await store.rewind(bob, stream: nil) == ["a", "b"])
                let shared = StreamID(connection: bob, stream: StreamID.shared)
                #expect(try await store.state(of: shared, part: "") == nil)
                #expect(try await store.rewind(bob, stream: nil) == [])
            }
        }
    }

    @Test func rewindingForgetsAllPartsOfTheStreamsThatAreMeant() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store in
                for id in [bob, eve] { _ = try await store.openConnection(id, plug: "p", pda: pda) }
                let ids = [(bob, "a"), (bob, "b"), (eve, "a")].map { StreamID(connection: $0, stream: $1) }
                let profile = StreamProfile(hidden: HiddenMembers(["email"]))
                let packed = RecordFingerprint.packed([RecordFingerprint(high: 1, low: 2)])
                for id in ids {
                    let states = ["": "whole", "parent": "part"].mapValues { StreamState(Array($0.utf8)) }
                    try await store.commit(
                        StreamCommit(
                            stream: id,
                            pass: 1,
                            states: states,
                            ledger: packed,
                            completesPass: true,
                            profile: profile
                        )
                    )
                }
                func places() async throws -> [Int] {
                    var places: [Int] = []
                    for id in ids {
                        let whole = try await store.state(of: id, part: "")
                        let part = try await store.state(of: id, part: "parent")
                        places.append([whole, part].compactMap { $0 }.count)
                    }
                    return places
                }
                #expect(try await store.rewind(bob, stream: "none") == [])
                #expect(try await places() == [2, 2, 2])
                #expect(try await store.rewind(bob, stream: "b") == ["b"])
                #expect(try await places() == [2, 0, 2])
                #expect(try await store.rewind(bob, stream: nil) == ["a"])
                #expect(try await places() == [0, 0, 2])
                // What is proved stays, and so do the pass and what is known of the stream.
                let snapshot = try await store.snapshot(of: ids[0])
                #expect(snapshot.pass == 2 && snapshot.hasLedger && snapshot.state == nil)
                #expect(snapshot.profile == profile)
                #expect(await code { _ = try await store.rewind(zoe, stream: nil) } == "connection-unknown")
            }
        }
    }
}
