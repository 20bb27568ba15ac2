import Foundation
import LosslessJSON
import TestKit
import Testing

/// Programs that do something wrong: what is said, what is kept, and that the next run makes it good.
@Suite(
    .fewAtATime,
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .needsBubblewrap
)
struct FaultyProgramTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var name: String
        var status: Int32
        /// What stands in the message.
        var says: String
        /// How many of ten things have come all the same.
        var kept: Int

        var testDescription: String { name }
    }

    static let faults = [
        Fault(
            name: "half",
            status: 65,
            says: "line 11 of the program's output is cut off: the program ended in the middle of it",
            kept: 5
        ),
        Fault(name: "dies", status: 69, says: "was killed (signal 9)", kept: 5),
        Fault(
            name: "fails",
            status: 69,
            says: "ended with the exit status 3; it said: <29 characters, shown by --dry-run>",
            kept: 5
        ),
        Fault(name: "changes", status: 65, says: "announces other key properties than before", kept: 5),
        Fault(name: "batch", status: 78, says: "line 2 of the program's output hands over files (BATCH)", kept: 0),
    ]

    @Test(arguments: faults, [true, false])
    func whatWentWrongIsSaidAndNothingIsLostOrDoubled(_ fault: Fault, _ isTrusted: Bool) async throws {
        try await ProgramWorld.with { world in
            try world.write(config: "fault: \(fault.name)")
            world.add(1...10)
            let ended = try await world.run(isTrusted: isTrusted)
            #expect(ended.status == fault.status, "\(ended)")
            #expect(ended.errors.contains(fault.says), "\(ended.errors)")
            #expect(world.stored.sorted() == (fault.kept == 0 ? [] : ProgramWorld.identities(1...fault.kept)))
            try world.write()
            let next = try await world.run(isTrusted: isTrusted)
            #expect(next.status == 0, "\(next)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...10))
        }
    }

    @Test func aProgramThatFloodsStderrIsReadToItsEnd() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: "fault: flood")
            world.add(1...10)
            let ended = try await world.run()
            #expect(ended.status == 0 && !ended.errors.contains("nobody"), "\(ended)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...10))
        }
    }

    @Test func aProgramThatForksLeavesNothingBehind() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: "fault: forks")
            world.add(1...3)
            let ended = try await world.run()
            #expect(ended.status == 0, "\(ended)")
            #expect(ended.errors.contains("[program-left-behind]"), "\(ended)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...3))
            #expect(Processes.with("6007") == [])
        }
    }

    @Test func aProgramThatDoesNotEndIsEndedAndItsStateStands() async throws {
        try await ProgramWorld.with { world in
            try world.write(config: "fault: deaf", exec: "limits: {time: 4s}")
            world.add(1...4)
            let ended = try await world.run()
            #expect(ended.status == 75, "\(ended)")
            #expect(ended.errors.contains("reached its limit of time (4s) and was ended"), "\(ended)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...4))
            try world.write()
            world.add(5...6)
            let next = try await world.run()
            #expect(next.status == 0)
            #expect(world.stored.sorted() == ProgramWorld.identities(1...6))
            let fetched = try JSONValue(parsing: next.output)["streams"]?["things"]?["fetched"]
            #expect(fetched == .integer(2))
        }
    }

    @Test(arguments: ["early", "early and dies"])
    func aStateThatIsWrittenBeforeItsRecordsLosesNone(_ fault: String) async throws {
        try await ProgramWorld.with { world in
            try world.write(config: "fault: \(fault)")
            world.add(1...10)
            let ended = try await world.run()
            #expect(ended.errors.contains("[program-state-early]"), "\(ended)")
            #expect(ended.status == (fault == "early" ? 0 : 69))
            try world.write()
            let next = try await world.run()
            #expect(next.status == 0, "\(next)")
            #expect(world.stored.sorted() == ProgramWorld.identities(1...10))
        }
    }

    @Test(arguments: [("says a secret", 69), ("prints a secret", 65), ("names a secret", 0)])
    func aSecretThatAProgramPrintsIsNotShown(_ fault: String, _ status: Int32) async throws {
        try await ProgramWorld.with { world in
            try Data("s3cr3t-canary".utf8).write(to: URL(filePath: world.folder + "/secret"))
            try world.write(config: #"token: "{{ config.token }}", fault: \#(fault)"#)
            let ended = try await world.run(["--config", "token=@\(world.folder)/secret"])
            #expect(ended.status == status, "\(ended)")
            #expect(!(ended.errors + ended.output).contains("s3cr3t-canary"), "\(ended)")
        }
    }
}

/// Processes of this machine.
enum Processes {
    /// Those whose command lines have a text in them.
    static func with(_ text: String) -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { process in
            guard Int(process) != nil, let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else {
                return false
            }
            return String(decoding: words, as: UTF8.self).contains(text)
        }
    }
}
