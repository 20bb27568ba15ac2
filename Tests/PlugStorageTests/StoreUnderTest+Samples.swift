import PlugCore
import PlugStorage
import Testing

/// A commit with one of everything.
func fullCommit(_ stream: StreamID, pass: Int64 = 1) throws -> StreamCommit {
    StreamCommit(
        stream: stream,
        pass: pass,
        states: ["": StreamState([1]), "parent": StreamState([2])],
        ledger: packed(1, 2),
        deadLetters: [letter("a")],
        refused: fingerprints(3),
        outbox: [try batch("x")]
    )
}

func batch(_ text: String) throws -> OutboxBatch {
    var records = RecordBlock()
    records.append(#"{"\#(text)":1.10}"#.utf8, identity: "spotify/feed/\(text)".utf8)
    return OutboxBatch(
        path: try #require(DataPath(namespace: "spotify", endpoint: "feed/plays")),
        records: records,
        fingerprints: packed(9)
    )
}

/// How much there is of a stream.
struct Everything: Equatable {
    var pass: Int64 = 1
    var states = 0
    var rows: [LedgerRow] = []
    var refusals: [RecordFingerprint: Int] = [:]
    var letters = 0
    var batches = 0
    var hasToken = false
    var hasGrant = false
    var runs = 0
}

func everything(_ store: any PlugStore, _ stream: StreamID) async throws -> Everything {
    var states = 0
    for part in ["", "parent"] where try await store.state(of: stream, part: part) != nil { states += 1 }
    return Everything(
        pass: try await store.currentPass(of: stream),
        states: states,
        rows: try await ledger(store, stream),
        refusals: try await store.refusals(of: stream),
        letters: try await store.deadLetters(DeadLetterFilter(connection: stream.connection)).count,
        batches: try await store.outbox(of: stream, limit: 99).count,
        hasToken: try await store.keptToken(of: stream.connection) != nil,
        hasGrant: try await store.grant(GrantID(connection: stream.connection, name: "oauth2")) != nil,
        runs: try await store.runs(of: stream.connection, limit: 99).count
    )
}
