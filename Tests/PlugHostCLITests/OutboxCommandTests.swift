import PlugCore
import PlugStorage
import TestKit
import Testing

@Suite(.fewAtATime)
struct OutboxCommandTests {
    private static let plug = """
        plug: edits
        api: 1
        version: 1.0.0
        namespace: wiki
        hosts: [en.wikipedia.org]
        streams:
          edits: {endpoint: edits, request: {path: "https://en.wikipedia.org/w"}, key: [.id], version: none}

        """

    /// Writes one batch a name, of one record each.
    private func queue(_ names: [String], of connection: String = "ada", pda: String, to folder: String) async throws {
        let path = try #require(DataPath(namespace: "wiki", endpoint: "edits"))
        let store = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), clock: StillClock())
        _ = try await store.openConnection(ConnectionID(connection), plug: "edits", pda: pda)
        let id = StreamID(connection: ConnectionID(connection), stream: "edits")
        let batches = names.map { name in
            var records = RecordBlock()
            records.append(
                #"{"_id":"wiki/edits/\#(name)","n":9007199254740993}"#.utf8,
                identity: "wiki/edits/\(name)".utf8
            )
            return OutboxBatch(path: path, records: records, fingerprints: Array(repeating: 1, count: 16))
        }
        try await store.commit(StreamCommit(stream: id, pass: 1, outbox: batches))
        await store.close()
    }

    @Test func listsAndShowsWhatWaits() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try await queue(["1", "2"], pda: StoredLetters.pda, to: state)
            let list = await Program.run(["outbox", "list", "--state", state])
            #expect(
                list.output == """
                    1\tada\tedits\t2025-11-21T04:40:00Z\t1\t45 bytes
                    2\tada\tedits\t2025-11-21T04:40:00Z\t1\t45 bytes

                    """
            )
            let object =
                #"{"id":2,"connection":"ada","stream":"edits","endpoint":"wiki/edits","#
                + #""time":"2025-11-21T04:40:00.123456Z","records":"#
            let show = await Program.run(["outbox", "show", "2", "--json", "--state", state])
            #expect(show.output == object + #"[{"_id":"wiki/edits/2","n":9007199254740993}],"bytes":45}"# + "\n")
            let filtered = await Program.run(["outbox", "list", "--json", "--stream", "others", "--state", state])
            #expect(filtered.output == "")
            let unknown = await Program.run(["outbox", "list", "--connection", "adda", "--state", state])
            #expect(unknown.status == .failed && unknown.errors.contains("did you mean 'ada'?"), "\(unknown.errors)")
            let missing = await Program.run(["outbox", "show", "9", "--state", state])
            #expect(missing.status == .failed && missing.errors.contains("[batch-unknown]"), "\(missing.errors)")
        }
    }

    @Test func retrySendsInOrderAndSaysWhatStillWaits() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try FilesHere.write(Self.plug, to: folder + "/plug.yaml")
            try await RunningPDA.with(in: folder + "/sandbox") { pda in
                let made = await Program.run([
                    "sandbox", "token", folder + "/plug.yaml", "--state", pda.folder, "--out", folder + "/token",
                ])
                #expect(made.status == .done, "\(made.errors)")
                try await queue(["1", "2"], pda: pda.url, to: state)
                let retry = ["outbox", "retry", "--token-file", folder + "/token", "--state", state]
                let elsewhere = await Program.run(retry + ["--pda", "http://127.0.0.1:1"])
                #expect(elsewhere.errors.contains("[connection-elsewhere]"), "\(elsewhere.errors)")
                let sent = await Program.run(retry + ["--json"])
                let nothingWaits = #"{"drained":2,"dead_letters":0,"waiting":0,"waiting_records":0}"# + "\n"
                #expect(sent.output == nothingWaits, "\(sent.errors)")
                #expect(sent.status == .done)
                let again = await Program.run(retry)
                #expect(again.output == "there was nothing to send\n")
            }
        }
    }

    @Test func retryAsksWhichConnectionWhereSeveralWait() async throws {
        try await Program.withFolder { folder in
            for name in ["ada", "bob"] { try await queue(["1"], of: name, pda: StoredLetters.pda, to: folder) }
            let ended = await Program.run(["outbox", "retry", "--state", folder])
            #expect(ended.status == .usage)
            #expect(ended.errors.contains("records of 2 connections wait: ada, bob"), "\(ended.errors)")
        }
    }
}
