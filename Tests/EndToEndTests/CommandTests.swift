import Foundation
import LosslessJSON
import TestKit
import Testing

@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct CommandTests {
    @Test func showsFiveRecordsInTheDemo() async throws {
        try await BuiltProgram.withFolder { folder in
            let ended = try await BuiltProgram.run(["demo", "--offline"], in: folder)
            #expect(ended.status == 0)
            #expect(ended.errors == "")
            let lines = ended.output.split(separator: "\n")
            let readBack = "in the PDA  5 records in wikipedia/contributions, read back by the owner:"
            #expect(lines.contains { $0 == readBack })
            #expect(lines.contains("run again   contributions: nothing new: 5 known"))
        }
    }

    @Test func findsTheBundledPlugsGood() async throws {
        try await BuiltProgram.withFolder { folder in
            let plugs = ["mastodon", "wikipedia"].map { BuiltProgram.root + "/Plugs/" + $0 }
            let tested = try await BuiltProgram.run(["test"] + plugs, in: folder)
            let validated = try await BuiltProgram.run(["validate"] + plugs, in: folder)
            #expect(tested.status == 0)
            #expect(validated.status == 0)
        }
    }

    @Test func namesThePlaceOfAMistake() async throws {
        try await BuiltProgram.withFolder { folder in
            let path = folder + "/plug.yaml"
            try Data("plug: x\napi: 1\nbogus: 1\n".utf8).write(to: URL(filePath: path))
            let ended = try await BuiltProgram.run(["validate", path], in: folder)
            #expect(ended.status == 78)
            #expect(
                ended.output.split(separator: "\n")
                    .contains("\(path):3:1: error: [unknown-key] 'bogus' is not a key of a manifest")
            )
        }
    }

    @Test func saysThatAnAnswerCouldNotBeWritten() async throws {
        try await BuiltProgram.withFolder { folder in
            let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
            let ended = try await BuiltProgram.start(["jq", "-n", "1"], in: folder, output: full).finish()
            #expect(ended.status == 1)
            #expect(
                ended.errors == """
                    error: [output-failed] cannot write the answer: No space left on device
                      help: what the command did stays done; only what it had to say is cut short

                    """
            )
        }
    }

    @Test func endsTheSandboxInOrderOnSIGTERM() async throws {
        try await BuiltProgram.withFolder { folder in
            let state = folder + "/sandbox"
            try await BuiltProgram.withSandbox(state, in: folder) { running, told in
                running.process.terminate()
                let ended = try await running.finish()
                let file = told["password_file"]?.compactText
                #expect(file == "\"\(state)/password\"")
                #expect(running.process.terminationReason == .exit)
                #expect(ended.errors == "the sandbox has ended; its data stays in \(state)\n")
            }
        }
    }
}
