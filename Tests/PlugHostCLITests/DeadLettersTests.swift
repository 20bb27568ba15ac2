import LosslessJSON
import PlugCore
import PlugStorage
import Testing

struct DeadLettersTests {
    private func run(_ arguments: String..., state: String, terminal: Bool = false) async -> Ended {
        await Program.run(["deadletters"] + arguments + ["--state", state], terminal: terminal)
    }

    // MARK: - Nothing there

    @Test func aStateFolderThatIsNotThereIsNamedAndNotMade() async throws {
        try await Program.withFolder { folder in
            let state = folder + "/none"
            for arguments in [["list"], ["list", "--json"], ["show", "3"], ["drop", "3"], ["drop", "--all"]] {
                let ended = await Program.run(["deadletters"] + arguments + ["--state", state])
                #expect(ended.status == .configuration && ended.output.isEmpty)
                #expect(ended.errors.contains("there is no state in \(state)"))
            }
            let made = try FilesHere.names(in: folder)
            #expect(made == [])
        }
    }

    @Test(arguments: [
        ["drop"], ["drop", "1", "--all"], ["drop", "1", "--connection", "ada"], ["drop", "x"], ["show"], ["lisst"],
    ])
    func whatContradictsItselfIsAWrongCommandLine(arguments: [String]) async {
        let ended = await Program.run(["deadletters"] + arguments)
        #expect(ended.status == .usage)
        #expect(ended.output.isEmpty && !ended.errors.isEmpty)
    }

    // MARK: - Looking

    private func twoOf(_ folder: String) async throws {
        try await StoredLetters.write(
            [StoredLetters.letter(), StoredLetters.letter(.normalise, record: #"{"id":1.10,"bell":"\u0007"}"#)],
            to: folder
        )
    }

    @Test func programsGetALineEachAndNoContent() async throws {
        try await Program.withFolder { folder in
            try await twoOf(folder)
            let plain = await run("list", state: folder)
            #expect(
                plain.output == """
                    1\tada\tedits\t2025-11-21T04:40:00Z\trefused\tthe PDA refused it with 400\twiki/edits/1
                    2\tada\tedits\t2025-11-21T04:40:00Z\tmap-failed\t400: Bad Request\t-

                    """
            )
            let json = await run("list", "--json", state: folder)
            #expect(
                json.output == #"""
                    {"id":1,"connection":"ada","stream":"edits","stage":"deliver","code":"refused","reason":"the PDA refused it with 400","identity":"wiki/edits/1","time":"2025-11-21T04:40:00.123456Z"}
                    {"id":2,"connection":"ada","stream":"edits","stage":"normalise","code":"map-failed","reason":"400: Bad Request","identity":null,"time":"2025-11-21T04:40:00.123456Z"}

                    """#
            )
            let person = await run("list", state: folder, terminal: true)
            #expect(
                person.output == """
                    id  connection  stream  when                  code        reason                       record
                    1   ada         edits   2025-11-21T04:40:00Z  refused     the PDA refused it with 400  wiki/edits/1
                    2   ada         edits   2025-11-21T04:40:00Z  map-failed  400: Bad Request             -

                    """
            )
        }
    }

    @Test func aThousandAreListedInOrderPageByPage() async throws {
        try await Program.withFolder { folder in
            try await StoredLetters.write((1...450).map { StoredLetters.letter(.deliver, "\($0)") }, to: folder)
            try await StoredLetters.write([StoredLetters.letter(.deliver, "x")], of: "bob", to: folder)
            let all = await run("list", "--json", state: folder)
            #expect(all.json.compactMap { $0["id"]?.number?.int64 } == Array(1...451))
            let bobs = await run("list", "--json", "--connection", "bob", "--stream", "edits", state: folder)
            #expect(bobs.json.map { $0["identity"]?.stringText } == ["wiki/edits/x"])
            let misspelt = await run("list", "--connection", "bobb", state: folder)
            #expect(misspelt.status == .failed)
            #expect(
                misspelt.errors
                    == "error: [connection-unknown] there is no connection 'bobb' here\n  help: did you mean 'bob'?\n"
            )
        }
    }

    @Test func oneIsShownWithEveryDigit() async throws {
        try await Program.withFolder { folder in
            try await twoOf(folder)
            let text = await run("show", "1", state: folder)
            #expect(
                text.output == """
                    dead letter 1
                      connection  ada
                      stream      edits
                      when        2025-11-21T04:40:00Z
                      why         the PDA refused it
                      code        refused
                      reason      400: Bad Request
                      record      wiki/edits/1

                    {
                      "_id": "wiki/edits/1",
                      "n": 9007199254740993
                    }

                    """
            )
            #expect(text.errors.contains("plughost deadletters retry 1"))
            let json = await run("show", "2", "--json", state: folder)
            #expect(json.json.first?["record"]?.compactText == #"{"id":1.10,"bell":"\u0007"}"#)
            #expect(await run("show", "2", state: folder).errors.contains("correct 'map'"))
        }
    }

    @Test func whatIsSensitiveIsShownToThoseWhoAskForIt() async throws {
        try await Program.withFolder { folder in
            let delivered = StoredLetters.letter(
                record: #"{"_id":"wiki/edits/a@x.org","email":"a@x.org","n":1}"#,
                reason: "400: bad value a@x.org"
            )
            let failed = StoredLetters.letter(.normalise, record: #"{"mail":"b@x.org"}"#, reason: "'n' is null")
            let hidden = HiddenMembers(["email"], hidesIdentity: true)
            try await StoredLetters.write([delivered, failed], hiding: hidden, to: folder)
            for arguments in [["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"], ["show", "2"]] {
                let ended = await Program.run(["deadletters"] + arguments + ["--state", folder])
                #expect(ended.status == .done && !ended.output.contains("x.org"), "\(arguments): \(ended.output)")
            }
            #expect(
                await run("show", "1", "--json", state: folder).output
                    == #"{"id":1,"connection":"ada","stream":"edits","stage":"deliver","code":"refused","reason":"400 <hidden>","#
                    + #""identity":"<hidden>","time":"2025-11-21T04:40:00.123456Z","#
                    + #""record":{"_id":"<hidden>","email":"<hidden>","n":1}}"# + "\n"
            )
            #expect(await run("show", "2", "--json", state: folder).json.first?["record"] == .text("<hidden>"))
            let whole = await run("show", "1", "--json", "--reveal", state: folder)
            #expect(whole.json.first?["record"]?["email"] == .text("a@x.org"))
            #expect(whole.json.first?["reason"] == .text("400: bad value a@x.org"))
            let source = await run("show", "2", "--json", "--reveal", state: folder)
            #expect(source.json.first?["record"]?.compactText == #"{"mail":"b@x.org"}"#)
        }
    }

    // MARK: - Dropping

    @Test func droppingAsksAPersonAndWantsYesFromAProgram() async throws {
        try await Program.withFolder { folder in
            try await twoOf(folder)
            let alone = await run("drop", "1", state: folder)
            #expect(alone.status == .usage)
            #expect(
                alone.errors == """
                    error: [not-confirmed] 1 dead letter would be erased for good, and there is no terminal to ask for \
                    confirmation
                      help: add --yes

                    """
            )
            let asked = Questions()
            let arguments = ["deadletters", "drop", "--all", "--state", folder]
            let refused = await Program.run(arguments) { await asked.answer($0, false) }
            #expect(refused.status == .failed && refused.errors == "nothing was done\n")
            #expect(try await StoredLetters.all(in: folder).map(\.id) == [1, 2])
            let agreed = await Program.run(arguments) { await asked.answer($0, true) }
            #expect(agreed.status == .done && agreed.output == "erased 2 dead letters\n")
            #expect(
                await asked.texts
                    == Array(repeating: "2 dead letters would be erased for good. Do it? [y/N] ", count: 2)
            )
            #expect(try await StoredLetters.all(in: folder).isEmpty)
        }
    }

    @Test func onlyWhatIsMeantIsDropped() async throws {
        try await Program.withFolder { folder in
            try await StoredLetters.write((1...250).map { StoredLetters.letter(.deliver, "\($0)") }, to: folder)
            try await StoredLetters.write([StoredLetters.letter()], stream: "talk", to: folder)
            let unknown = await run("drop", "7", "999", "--yes", state: folder)
            #expect(unknown.status == .failed)
            #expect(try await StoredLetters.all(in: folder).count == 251)
            #expect(await run("drop", "7", "8", "7", "--yes", state: folder).output == "erased 2 dead letters\n")
            let rest = await run("drop", "--all", "--stream", "edits", "--yes", "--json", state: folder)
            #expect(rest.output == "{\"dropped\":248}\n")
            #expect(try await StoredLetters.all(in: folder).map(\.stream) == ["talk"])
        }
    }
}

/// Answers questions and keeps them.
actor Questions {
    private(set) var texts: [String] = []

    func answer(_ question: String, _ answer: Bool) -> Bool {
        texts.append(question)
        return answer
    }
}
