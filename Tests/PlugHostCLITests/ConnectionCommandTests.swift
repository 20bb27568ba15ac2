import LosslessJSON
import PlugCore
import PlugHostCLI
import PlugStorage
import Testing

/// `connection`, `runs`, `limits`, `state`, `keys`: what an operator looks at and mends with.
struct ConnectionCommandTests {
    private let clock = StillClock()

    /// Writes a connection with a batch, a dead letter and runs that ended so.
    private func fill(_ state: String, _ name: String, runs: [(outcome: String?, delivered: Int)]) async throws {
        try await StoredLetters.write([StoredLetters.letter()], of: name, to: state)
        let store = try await SQLiteStore.open(folder: state, access: .write(wait: .zero), clock: clock)
        let id = StreamID(connection: ConnectionID(name), stream: "edits")
        let path = try #require(DataPath(namespace: "wiki", endpoint: "edits"))
        var records = RecordBlock()
        records.append(#"{"_id":"wiki/edits/9","n":1}"#.utf8, identity: "wiki/edits/9".utf8)
        let batch = OutboxBatch(path: path, records: records, fingerprints: Array(repeating: 1, count: 16))
        let cursor = StreamState(Array(#"{"watermark":"2025-01-02T03:04:05Z"}"#.utf8))
        try await store.commit(StreamCommit(stream: id, pass: 1, states: ["": cursor], outbox: [batch]))
        for (outcome, delivered) in runs {
            let run = try await store.beginRun(RunStart(connection: id.connection, version: "1.2.0", at: clock.now()))
            guard let outcome else { continue }
            let error = outcome == "done" ? "null" : #"{"code":"rate-limited","message":"m","stream":null}"#
            let report = #"{"error":\#(error),"outbox":{"drained":0},"streams":{"edits":{"delivered":\#(delivered)}}}"#
            let tally = RunTally(error: outcome == "done" ? nil : "rate-limited", hasMoved: delivered > 0)
            try await store.endRun(run, outcome: outcome, report: Array(report.utf8), tally: tally)
        }
        await store.close()
    }

    @Test func listsAndShowsHowConnectionsStand() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try await fill(state, "ada", runs: [("done", 1), ("failed", 0), ("partial", 0), (nil, 0)])
            try await fill(state, "bob", runs: [("failed", 0), ("failed", 3)])
            let list = await Program.run(["connection", "list", "--state", state])
            #expect(
                list.output == """
                    ada\tedits\thttps://ada.example\twaiting\trate-limited\tnot ended\t2025-11-21T04:40:00Z\t2\t1\t1
                    bob\tedits\thttps://ada.example\t-\t-\tfailed\t-\t0\t1\t1

                    """
            )
            let show = await Program.run(["connection", "show", "ada", "--json", "--state", state])
            let time = #""2025-11-21T04:40:00.123456Z""#
            #expect(
                show.output == #"{"connection":"ada","plug":"edits","pda":"https://ada.example","created":\#(time),"#
                    + #""status":null,"health":{"state":"waiting","code":"rate-limited","since":\#(time)},"due":null,"last_run":{"id":4,"connection":"ada","plug_version":"1.2.0","began":\#(time),"ended":null,"#
                    + #""outcome":null,"error":null},"last_success":\#(time),"runs_without_progress":2,"dead_letters":1,"#
                    + #""outbox":{"batches":1,"bytes":30,"since":\#(time)},"account":null,"#
                    + #""streams":[{"stream":"edits","cursor":"2025-01-02T03:04:05Z"}]}"# + "\n"
            )
            let text = await Program.run(["connection", "show", "ada", "--state", state])
            #expect(text.output.contains("  runs without progress  2\n"))
            #expect(text.output.contains("  stream edits           up to 2025-01-02T03:04:05Z\n"))
            #expect(
                text.output.contains("waiting for its PDA or its service since 2025-11-21T04:40:00Z: rate-limited\n")
            )
            for (options, names) in [
                (["--status", "waiting"], ["ada"]), (["--code", "rate-limited"], ["ada"]), (["--limit", "1"], ["ada"]),
                (["--status", "failing"], []), (["--plug", "edits"], ["ada", "bob"]), (["--plug", "none"], []),
            ] {
                let some = await Program.run(["connection", "list", "--json", "--state", state] + options)
                #expect(some.json.map { $0["connection"]?.stringText } == names, "\(options): \(some)")
            }
            let misspelt = await Program.run(["connection", "list", "--status", "fail", "--state", state])
            #expect(misspelt.status == .usage, "\(misspelt)")
            let unknown = await Program.run(["connection", "show", "adda", "--state", state])
            #expect(unknown.status == .failed && unknown.errors.contains("did you mean 'ada'?"))
        }
    }

    @Test func runsAreListedAndShown() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try await fill(state, "ada", runs: [("done", 1), ("failed", 0)])
            let list = await Program.run(["runs", "list", "--state", state])
            let time = "2025-11-21T04:40:00Z"
            #expect(
                list.output
                    == "2\tada\t\(time)\t\(time)\tfailed\trate-limited\n1\tada\t\(time)\t\(time)\tdone\t-\n"
            )
            #expect(await Program.run(["runs", "list", "--limit", "1", "--json", "--state", state]).json.count == 1)
            let show = await Program.run(["runs", "show", "1", "--state", state])
            #expect(show.json.first?["report"]?["streams"]?["edits"]?["delivered"] == .integer(1))
            let missing = await Program.run(["runs", "show", "9", "--state", state])
            #expect(missing.status == .failed && missing.errors.contains("run-unknown"))
        }
    }

    @Test func removingErasesWithAReceiptAndOnlyWhenItIsWanted() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try await fill(state, "ada", runs: [("done", 1)])
            try await fill(state, "bob", runs: [])
            #expect(await Program.run(["connection", "remove", "ada", "--state", state]).status == .usage)
            let unasked = await Program.run(["connection", "remove", "ada", "--erase", "--state", state])
            #expect(unasked.status == .usage && unasked.errors.contains("[not-confirmed]"), "\(unasked.errors)")
            let refused = await Program.run(["connection", "remove", "ada", "--erase", "--state", state]) { _ in false }
            #expect(refused.status == .failed && refused.errors == "nothing was done\n")
            let arguments = ["connection", "remove", "ada", "--erase", "--yes", "--json", "--state", state]
            let receipt = try #require(await Program.run(arguments, clock: clock).json.first)
            let rows =
                #"{"changes":0,"consents":0,"dead_letters":1,"grants":0,"inventory":0,"ledger":0,"notes":0,"outbox_batches":1,"#
                + #""refusals":0,"runs":1,"setups":0,"states":1,"streams":1,"tokens":0}"#
            #expect(receipt["connection"] == .text("ada") && receipt["log_emptied"] == .bool(true))
            #expect(receipt["rows"]?.compactText == rows)
            #expect(
                receipt["consent"]?.compactText
                    == #"{"status":"nothing","text":"There was no consent to revoke."}"#
            )
            #expect(receipt["erased"] == .text("2025-11-21T04:40:00.123456Z"))
            #expect(receipt["key"]?.stringText?.hasSuffix("/1") == true)
            let list = await Program.run(["connection", "list", "--json", "--state", state])
            #expect(list.json.map { $0["connection"] } == [.text("bob")])
            let again = await Program.run(arguments)
            #expect(again.status == .failed && again.errors.contains("connection-unknown"))
        }
    }

    @Test func rewindingForgetsPlacesAndNothingElse() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try await fill(state, "ada", runs: [("done", 1)])
            func cursors() async throws -> JSONValue? {
                let show = await Program.run(["connection", "show", "ada", "--json", "--state", state])
                return try #require(show.json.first)["streams"]
            }
            let rewind = ["connection", "rewind", "ada", "--state", state]
            let unasked = await Program.run(rewind)
            #expect(unasked.status == .usage && unasked.errors.contains("[not-confirmed]"), "\(unasked.errors)")
            let unknown = await Program.run(rewind + ["--stream", "edit", "--yes"])
            #expect(unknown.status == .failed && unknown.errors.contains("did you mean 'edits'?"), "\(unknown.errors)")
            let other = await Program.run(["connection", "rewind", "adda", "--yes", "--state", state])
            #expect(other.status == .failed && other.errors.contains("[connection-unknown]"), "\(other.errors)")
            #expect(try await cursors()?.compactText == #"[{"stream":"edits","cursor":"2025-01-02T03:04:05Z"}]"#)
            let rewound = await Program.run(rewind + ["--stream", "edits", "--yes"])
            #expect(rewound.output == "the next run reads from the beginning: edits\n", "\(rewound.errors)")
            #expect(try await cursors()?.compactText == #"[{"stream":"edits","cursor":null}]"#)
            let again = await Program.run(rewind + ["--yes", "--json"])
            #expect(again.status == .done && again.output == "{\"rewound\":[]}\n")
            // What waits, and what could not be delivered, is as it was.
            #expect(await Program.run(["outbox", "list", "--json", "--state", state]).json.count == 1)
            #expect(try await StoredLetters.all(in: state).count == 1)
        }
    }

    @Test func aConnectionThatRunsIsNotRemoved() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try await fill(state, "ada", runs: [])
            let store = try await SQLiteStore.open(folder: state, access: .write(wait: .zero), clock: clock)
            let lease = try await store.lease(ConnectionID("ada"))
            for command in [
                ["connection", "remove", "ada", "--erase"], ["deadletters", "drop", "1"], ["outbox", "drop", "1"],
                ["connection", "rewind", "ada"],
            ] {
                let ended = await Program.run(command + ["--yes", "--state", state])
                #expect(ended.status == .tryLater && ended.errors.contains("state-locked"), "\(ended.errors)")
            }
            lease.end()
            await store.close()
            #expect(try await StoredLetters.all(in: state).count == 1)
        }
    }

    @Test func batchesAreExportedAndDropped() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try await fill(state, "ada", runs: [])
            try await fill(state, "bob", runs: [])
            let line = #"{"data":{"_id":"wiki/edits/9","n":1},"endpoint":"wiki/edits"}"# + "\n"
            #expect(await Program.run(["outbox", "export", "1", "--state", state]).output == line)
            #expect(await Program.run(["outbox", "export", "--all", "--state", state]).output == line + line)
            #expect(await Program.run(["outbox", "export", "--state", state]).status == .usage)
            let unknown = await Program.run(["outbox", "drop", "9", "--yes", "--state", state])
            #expect(unknown.status == .failed && unknown.errors.contains("batch-unknown"))
            let arguments = ["outbox", "drop", "--all", "--connection", "ada", "--json", "--yes", "--state", state]
            #expect(await Program.run(arguments).output == #"{"dropped":1,"records":1}"# + "\n")
            #expect(await Program.run(arguments).output == #"{"dropped":0,"records":0}"# + "\n")
            let list = await Program.run(["outbox", "list", "--json", "--state", state])
            #expect(list.json.map { $0["connection"] } == [.text("bob")])
        }
    }

    @Test func limitsAreListedAndForgotten() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            let store = try await SQLiteStore.open(folder: state, access: .write(wait: .zero), clock: clock)
            let seconds = clock.now() / 1_000_000 - 60
            let mark = #""era":"real","steady":\#(clock.now()),"wall":\#(clock.now())"#
            let closed =
                #"{"v":2,\#(mark),"closed":[\#(seconds * 1_000_000),\#((seconds + 360) * 1_000_000)],"#
                + #""meters":[],"holders":[]}"#
            let circuit =
                #"{"v":1,\#(mark),"until":\#((seconds + 90) * 1_000_000),"probes":0,"early":0,"failures":5,"#
                + #""connecting":5,"reason":"no answer"}"#
            try await store.keepServerNotes([
                ServerNote(name: "connection ada", bytes: Array(closed.utf8), expiresAt: .max),
                ServerNote(name: "host pda ada.example:443", bytes: Array(circuit.utf8), expiresAt: .max),
            ])
            await store.close()
            let list = await Program.run(["limits", "list", "--state", state], clock: clock)
            #expect(
                list.output == """
                    connection ada\tconnection\t2025-11-21T04:45:00Z\tthe source asked to wait
                    host pda ada.example:443\tcircuit\t2025-11-21T04:40:30Z\tno answer

                    """
            )
            let unknown = await Program.run(["limits", "forget", "connection eda", "--state", state])
            #expect(unknown.status == .failed && unknown.errors.contains("did you mean 'connection ada'?"))
            #expect(
                await Program.run(["limits", "forget", "connection ada", "--state", state]).output == "forgot 1 limit\n"
            )
            #expect(
                await Program.run(["limits", "forget", "--all", "--json", "--state", state]).output
                    == "{\"forgotten\":1}\n"
            )
            #expect(await Program.run(["limits", "list", "--json", "--state", state]).output == "")
        }
    }

    @Test func theStateIsCheckedPrunedAndRekeyed() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/state"
            try await fill(state, "ada", runs: [("done", 1)])
            let check = await Program.run(["state", "check", "--json", "--state", state])
            #expect(check.status == .done)
            #expect(check.output == #"{"connections":1,"values":4,"problems":[]}"# + "\n")
            let prune = await Program.run(["state", "prune", "--json", "--state", state])
            #expect(prune.output == #"{"runs":0,"notes":0,"refusals":0,"dead_letters":0,"batches":0}"# + "\n")
            let rotated = await Program.run(["keys", "rotate", "--json", "--state", state])
            #expect(rotated.json.first?["connections"] == .integer(1))
            #expect(
                await Program.run(["state", "check", "--state", state]).output
                    == "1 connection, 4 encrypted values: no problems\n"
            )
            for command in [
                ["state", "check"], ["state", "prune"], ["keys", "rotate"], ["limits", "forget", "--all"],
            ] {
                let missing = await Program.run(command + ["--state", folder + "/none"])
                #expect(missing.status == .configuration && missing.errors.contains("state-missing"), "\(command)")
            }
        }
    }
}
