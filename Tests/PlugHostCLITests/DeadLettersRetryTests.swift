import CurlTransport
import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

@Suite(.fewAtATime)
struct DeadLettersRetryTests {
    private static let plug = """
        plug: edits
        api: 1
        version: 1.0.0
        namespace: wiki
        hosts: [en.wikipedia.org]
        streams:
          edits: {endpoint: edits, request: {path: "https://en.wikipedia.org/w"}, key: [.id], version: none}

        """

    /// A plug and a running PDA in which it is set up, its token in a file.
    private func withPDA(_ body: @escaping @Sendable (RunningPDA, _ folder: String) async throws -> Void) async throws {
        try await Program.withFolder { folder in
            try FilesHere.write(Self.plug, to: folder + "/plug.yaml")
            try await RunningPDA.with(in: folder + "/sandbox") { pda in
                let ended = await Program.run([
                    "sandbox", "token", folder + "/plug.yaml", "--state", pda.folder, "--out", folder + "/token",
                ])
                #expect(ended.status == .done, "\(ended.errors)")
                try await body(pda, folder)
            }
        }
    }

    private func retry(_ arguments: String..., pda: String, _ folder: String) async -> Ended {
        await Program.run(
            ["deadletters", "retry"] + arguments + [
                "--pda", pda, "--token-file", folder + "/token",
                "--state", folder + "/state",
            ]
        )
    }

    @Test func whatThePDATakesNowIsGoneAndTheRestStaysWithItsNewestReason() async throws {
        try await withPDA { pda, folder in
            let present = #"{"_id":"wiki/edits/present"}"#
            let token = try FilesHere.read(folder + "/token").split(separator: "\n").first.map(String.init) ?? ""
            let posted = try await pda.send("POST", "/api/v2.6/data/wiki/edits", token: token, body: present)
            #expect(posted.status == 201)
            let refused = StoredLetters.letter(.deliver, "vast", record: #"{"_id":"wiki/edits/vast","a":1e200000}"#)
            let raw = StoredLetters.letter(.normalise)
            try await StoredLetters.write(
                [
                    StoredLetters.letter(.deliver, "new"), StoredLetters.letter(.deliver, "present", record: present),
                    refused, raw,
                ],
                pda: pda.url,
                to: folder + "/state"
            )
            let ended = await retry("--all", "--json", pda: pda.url, folder)
            #expect(ended.status == .failed, "\(ended.errors)")
            #expect(
                ended.output
                    == #"{"delivered":1,"duplicates":1,"kept":{"refused":1,"raw":1,"undelivered":0}}"# + "\n"
            )
            let left = try await StoredLetters.all(in: folder + "/state")
            try #require(left.map(\.id) == [3, 4])
            #expect(left[0].letter.record == refused.record && left[0].letter.reason != refused.reason)
            #expect(left[0].letter.reason.hasPrefix("400 Bad Request: "))
            #expect(left[1].letter == raw)

            let again = await retry("3", "4", pda: pda.url, folder)
            #expect(again.status == .failed)
            #expect(again.output == "1 refused again, 1 cannot be resent; 2 remain dead letters\n")
            #expect(again.errors.contains("correct 'map', 'key' or 'fields' in the manifest"))
        }
    }

    @Test func manyRefusalsAreNotTakenForThePDAsTrouble() async throws {
        try await withPDA { pda, folder in
            let letters = (1...30).map { number in
                StoredLetters.letter(
                    .deliver,
                    "\(number)",
                    record: number % 3 == 0 ? nil : #"{"_id":"wiki/edits/\#(number)","a":1e200000}"#
                )
            }
            try await StoredLetters.write(letters, pda: pda.url, to: folder + "/state")
            let ended = await retry("--all", pda: pda.url, folder)
            #expect(ended.status == .failed)
            #expect(ended.output == "10 delivered, 20 refused again; 20 remain dead letters\n")
        }
    }

    @Test func allDeliveredEndsWithZeroAndNothingToSendToo() async throws {
        try await withPDA { pda, folder in
            try await StoredLetters.write([StoredLetters.letter()], pda: pda.url, to: folder + "/state")
            let ended = await retry("1", pda: pda.url, folder)
            #expect(ended.status == .done && ended.output == "1 delivered\n", "\(ended.errors)")
            let empty = await retry("--all", pda: pda.url, folder)
            #expect(empty.status == .done && empty.output == "there was nothing to send\n")
        }
    }

    @Test func nothingIsSentToAnotherPDAOrForSeveralConnections() async throws {
        try await withPDA { pda, folder in
            try await StoredLetters.write([StoredLetters.letter()], pda: "https://bob.example", to: folder + "/state")
            let elsewhere = await retry("1", pda: pda.url, folder)
            #expect(elsewhere.status == .configuration)
            #expect(elsewhere.errors.contains("error: [connection-elsewhere]"))
            try await StoredLetters.write([StoredLetters.letter()], of: "eve", pda: pda.url, to: folder + "/state")
            let several = await retry("--all", pda: pda.url, folder)
            #expect(several.status == .usage)
            #expect(several.errors.contains("error: [connection-ambiguous]"))
            #expect(try await StoredLetters.all(in: folder + "/state").count == 2)
        }
    }

    @Test func theConnectionKnowsItsPDAAndKeepsItsToken() async throws {
        try await withPDA { pda, folder in
            let state = folder + "/state"
            try await StoredLetters.write([StoredLetters.letter()], pda: pda.url, to: state)
            let without = await Program.run(["deadletters", "retry", "1", "--state", state])
            #expect(without.status == .authorisation)
            #expect(without.errors.contains("error: [token-missing] connection 'ada' has no token yet"))

            let token = try FilesHere.read(folder + "/token").split(separator: "\n").first.map(String.init) ?? ""
            let store = try await SQLiteStore.open(folder: state, access: .write(wait: .zero))
            try await store.keepToken(KeptToken(token: Secret(token), issuedAt: 1), of: ConnectionID("ada"))
            await store.close()
            let ended = await Program.run(["deadletters", "retry", "1", "--state", state])
            #expect(ended.status == .done && ended.output == "1 delivered\n", "\(ended.errors)")
        }
    }

    @Test func anUnreachablePDALeavesThemAsTheyWere() async throws {
        try await withPDA { _, folder in
            let gone = "http://127.0.0.1:1"
            try await StoredLetters.write([StoredLetters.letter()], pda: gone, to: folder + "/state")
            let before = try await StoredLetters.all(in: folder + "/state")
            let ended = await Program.run(
                [
                    "deadletters", "retry", "1", "--pda", gone, "--accept-foreign-token", "--token-file",
                    folder + "/token", "--state", folder + "/state",
                ],
                clock: StillClock()
            )
            #expect(ended.status == .unreachable, "\(ended.errors)")
            #expect(ended.output == "1 not sent; 1 remains a dead letter\n")
            #expect(try await StoredLetters.all(in: folder + "/state") == before)
        }
    }

    @Test func aTokenThatIsNoneIsRefusedBeforeTheFirstRequest() async throws {
        try await withPDA { pda, folder in
            try await StoredLetters.write([StoredLetters.letter()], pda: pda.url, to: folder + "/state")
            try FilesHere.write("not a token\n", to: folder + "/token")
            let ended = await retry("1", pda: pda.url, folder)
            #expect(ended.status == .authorisation)
            #expect(ended.errors.contains("error: [token-malformed]"))
        }
    }
}
