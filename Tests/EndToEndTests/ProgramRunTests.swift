import Foundation
import LosslessJSON
import TestKit
import Testing

/// Plugs that a program reads, run by the built program.
@Suite(
    .fewAtATime,
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .needsBubblewrap
)
struct ProgramRunTests {
    @Test(arguments: [true, false]) func aProgramIsReadToItsEndAndGoesOnAtItsState(_ isTrusted: Bool) async throws {
        try await ProgramWorld.with { world in
            world.add(1...10)
            let first = try await world.run(isTrusted: isTrusted)
            #expect(first.status == 0, "\(first)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...10))
            // Every digit is as the program wrote it.
            #expect(world.texts.contains(#"{"_id":"taps/things/10","changed":10,"id":10,"price":10.10}"#))
            world.add(11...12)
            let second = try await world.run(isTrusted: isTrusted)
            #expect(second.status == 0, "\(second)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...12))
            let streams = try JSONValue(parsing: second.output)["streams"]
            #expect(streams?["things"]?["fetched"] == .integer(2))
            #expect(streams?["things"]?["cursor"] == .text("12"))
        }
    }

    @Test func aStreamThatIsNamedLaterLacksNothing() async throws {
        try await ProgramWorld.with { world in
            world.add(1...10)
            try world.write(exec: "ignore: [notes]", streams: ["things"])
            #expect(try await world.run().status == 0)
            try world.write()
            let second = try await world.run()
            #expect(second.status == 0, "\(second)")
            #expect(second.errors.contains("[program-stream-new]"), "\(second)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...10))
            // From there on it goes on as usual.
            world.add(11...12)
            let third = try await world.run()
            #expect(!third.errors.contains("[program-stream-new]"), "\(third)")
            #expect(try JSONValue(parsing: third.output)["streams"]?["things"]?["fetched"] == .integer(2))
            #expect(world.stored.sorted() == ProgramWorld.identities(1...12))
        }
    }

    @Test("while the program sends what nobody names or ignores, each run reads from the beginning and says so")
    func strangers() async throws {
        try await ProgramWorld.with { world in
            world.add(1...10)
            try world.write(streams: ["things"])
            for _ in 0..<2 {
                let ended = try await world.run()
                #expect(ended.errors.contains("[program-stream-unused]"), "\(ended)")
                #expect(try JSONValue(parsing: ended.output)["streams"]?["things"]?["fetched"] == .integer(10))
            }
            try world.write()
            #expect(try await world.run().status == 0)
            #expect(world.stored.sorted() == ProgramWorld.identities(1...10))
        }
    }

    @Test func aStreamThatIsMadeOfAnotherOneLacksNothing() async throws {
        try await ProgramWorld.with { world in
            world.add(1...6)
            try world.write(exec: "ignore: [notes]", streams: ["copies"])
            #expect(try await world.run().status == 0)
            try world.write(exec: "ignore: [things]", streams: ["copies"], copied: "notes")
            let second = try await world.run()
            #expect(second.errors.contains("[program-stream-new]"), "\(second)")
            // The notes 3 and 6 have keys of their own, which nothing has had before.
            #expect(try JSONValue(parsing: second.output)["streams"]?["copies"]?["fetched"] == .integer(2))
            let third = try await world.run()
            #expect(!third.errors.contains("[program-stream-new]"), "\(third)")
        }
    }

    @Test func aPreviewHasWhatTheProgramReadsOnlyWithAnotherStream() async throws {
        try await ProgramWorld.with { world in
            world.add(1...3)
            let catalogue = "catalog: {streams: [{stream: things, schema: {}}, {stream: notes, schema: {}}]}"
            try world.write(config: #"fault: "joined""#, exec: catalogue)
            var arguments = ["run", world.folder + "/plug.yaml", "--dry-run", "--allow-network", "127.0.0.0/8"]
            arguments += ["--trust-programs", "--config", "token=@\(world.folder)/token"]
            let shown = try await BuiltProgram.run(arguments, in: world.folder)
            #expect(shown.status == 0 && !shown.errors.contains("program-stream-missing"), "\(shown)")
            let identities = try shown.output.split(separator: "\n").compactMap {
                try JSONValue(parsing: String($0))["data"]?["_id"]?.stringText
            }
            #expect(identities.sorted() == ProgramWorld.identities(1...3))
            let notes = try await BuiltProgram.run(arguments + ["--stream", "notes"], in: world.folder)
            #expect(
                notes.output.contains(#""_id":"taps/notes/3""#) && !notes.output.contains("taps/things"),
                "\(notes)"
            )
        }
    }

    @Test func aLookAtTheSourceEndsTheProgramAfterAPageOfEachStream() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: #"log: "\#(world.folder)/starts""#)
            world.add(1...3)
            let look = try await BuiltProgram.run(
                ["try", world.folder + "/plug.yaml", "--allow-network", "127.0.0.0/8", "--trust-programs"],
                in: world.folder
            )
            #expect(look.status == 0, "\(look)")
            #expect(
                look.output.contains("things -> taps/things: 1 page, 0 requests; 3 records: 3 to deliver"),
                "\(look)"
            )
            #expect(look.output.contains("notes -> taps/notes: 1 page, 0 requests; 1 record: 1 to deliver"), "\(look)")
            #expect(try world.starts().count == 1)
        }
    }

    @Test func aSecondStreamOfTheSameThingsLacksNothing() async throws {
        try await ProgramWorld.with { world in
            world.add(1...4)
            try world.write(exec: "ignore: [notes]", streams: ["things"])
            #expect(try await world.run().status == 0)
            try world.write(exec: "ignore: [notes]", streams: ["things", "copies"])
            let second = try await world.run()
            #expect(second.errors.contains("[program-stream-new]"), "\(second)")
            let copies = (1...4).map { "taps/copies/\($0)" }
            #expect(world.stored.sorted() == copies + (1...4).map { "taps/things/\($0)" })
        }
    }

    @Test func theProgramFindsNothingOfThisProcess() async throws {
        try await ProgramWorld.with { world in
            try Data("canary".utf8).write(to: URL(filePath: world.folder + "/secret"))
            try world.write(config: #"log: "\#(world.folder)/starts", token: "{{ config.token }}""#)
            world.add(1...1)
            let ended = try await world.run(["--config", "token=@\(world.folder)/secret"])
            #expect(ended.status == 0, "\(ended)")
            let start = try #require(try world.starts().first)
            #expect(
                start["environment"]?.compactText
                    == #"["HOME","LANG","LC_CTYPE","PATH","PYTHONDONTWRITEBYTECODE","PYTHONUTF8","TMPDIR","TZ"]"#
                    || start["environment"]?.compactText
                        == #"["HOME","LANG","PATH","PYTHONDONTWRITEBYTECODE","PYTHONUTF8","TMPDIR","TZ"]"#
            )
            let words = start["arguments"]?.elements?.compactMap(\.stringText) ?? []
            #expect(words.count == 2 && words.first == "--config")
            // What it was told is gone.
            #expect(!FileManager.default.fileExists(atPath: words.last ?? "/"))
            #expect(!ended.errors.contains("canary"))
        }
    }

    @Test func whatThePDADoesNotTakeWaitsAndTheStateMovesOn() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: #"log: "\#(world.folder)/starts""#)
            world.add(1...6)
            world.setDown(true)
            let down = try await world.run()
            #expect(down.status == 69 || down.status == 75, "\(down)")
            #expect(world.stored == [])
            world.setDown(false)
            world.add(7...8)
            let limits = try await BuiltProgram.run(
                ["limits", "forget", "--all", "--state", world.folder + "/state"],
                in: world.folder
            )
            #expect(limits.status == 0)
            let up = try await world.run()
            #expect(up.status == 0, "\(up)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...8))
            // It was not asked again for what waited.
            #expect(
                try world.starts().map { $0["state"]?.compactText }
                    == ["null", #"{"bookmarks":{"things":{"changed":6}}}"#]
            )
        }
    }

    @Test func recordsWithoutAStateAreKeptWhereThePDAIsDown() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: "fault: stateless")
            world.add(1...4)
            world.setDown(true)
            let down = try await world.run()
            let waiting = try JSONValue(parsing: down.output)["outbox"]?["waiting_records"]
            #expect(waiting == .integer(5), "\(down)")
            world.setDown(false)
            _ = try await BuiltProgram.run(
                ["limits", "forget", "--all", "--state", world.folder + "/state"],
                in: world.folder
            )
            let up = try await world.run()
            #expect(up.status == 0, "\(up)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...4))
        }
    }

    @Test func aRunOfSomeStreamsLeavesTheStateOfAllWhereItIs() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: #"log: "\#(world.folder)/starts""#)
            world.add(1...6)
            let some = try await world.run(["--stream", "notes"])
            #expect(some.status == 0, "\(some)")
            #expect(some.errors.contains("[program-state-kept]"), "\(some)")
            #expect(world.stored.sorted() == ["taps/notes/3", "taps/notes/6"])
            let all = try await world.run()
            #expect(all.status == 0, "\(all)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...6))
            #expect(try world.starts().map { $0["state"]?.compactText } == ["null", "null"])
        }
    }

    @Test func aDryRunStartsTheProgramOnceShowsRecordsAndKeepsNothing() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: #"log: "\#(world.folder)/starts""#)
            world.add(1...3)
            let dry = try await BuiltProgram.run(
                [
                    "run", world.folder + "/plug.yaml", "--dry-run", "--allow-network", "127.0.0.0/8", "--state",
                    world.folder + "/state", "--trust-programs",
                ],
                in: world.folder
            )
            #expect(dry.status == 0, "\(dry)")
            #expect(dry.output.contains(#""_id":"taps/things/3""#) && dry.output.contains(#""_id":"taps/notes/3""#))
            #expect(try world.starts().count == 1)
            #expect(world.stored == [])
        }
    }

    @Test func aHostThatIsNoneOfThePlugsIsNamed() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: #"stray: "http://127.0.0.1:9/""#)
            world.add(1...3)
            let ended = try await world.run(isTrusted: false)
            #expect(ended.status == 0, "\(ended)")
            #expect(
                ended.errors.contains(
                    "warning: [program-host-refused] the program './tap.py' was not allowed to reach 127.0.0.1:9, which is not one of the "
                        + "plug's hosts\n"
                ),
                "\(ended)"
            )
            #expect(world.stored.sorted() == ProgramWorld.identities(1...3))
        }
    }

    @Test func aRunOfOneStreamDoesNotCallTheOthersStrange() async throws {
        try await ProgramWorld.with { world in
            world.add(1...3)
            let ended = try await world.run(["--stream", "notes"])
            #expect(!ended.errors.contains("[program-stream-unused]"), "\(ended)")
        }
    }

    @Test func aManifestCannotTrustItself() async throws {
        try await ProgramWorld.with { world in
            try world.write(exec: "trust: operator")
            world.add(1...3)
            let refused = try await world.run(isTrusted: false)
            #expect(refused.status == 78 && refused.errors.contains("[program-not-trusted]"), "\(refused)")
            #expect(world.stored == [])
            try FileManager.default.createDirectory(atPath: world.folder + "/state", withIntermediateDirectories: true)
            try Data("programs: {trust: [taps]}\n".utf8).write(to: URL(filePath: world.folder + "/state/plughost.yaml"))
            let allowed = try await world.run(isTrusted: false)
            #expect(allowed.status == 0, "\(allowed)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...3))
        }
    }
}
