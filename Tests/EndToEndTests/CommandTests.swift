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
            let readBack = "in the PDA  5 records in wikipedia/contributions, as the owner reads them:"
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

    @Test("a process that may open too few files says so at once, before anything fails for it")
    func fewDescriptors() async throws {
        try await BuiltProgram.withFolder { folder in
            let ended = try await BuiltProgram.start(["jq", "-n", "1"], in: folder, limit: "-n 12").finish()
            #expect(ended.status == 78)
            #expect(ended.output == "")
            #expect(
                ended.errors == """
                    error: [descriptor-limit] plughost may open only 12 files, but needs at least 32
                      help: raise the limit with ulimit -n, or LimitNOFILE= of the unit

                    """
            )
        }
    }

    @Test("a process that is refused the threads it needs asks to be run again, and does not wait for ever")
    func fewThreads() async throws {
        try await BuiltProgram.withFolder { folder in
            // In KiB: too little for the stacks of eight threads.
            let ended = try await BuiltProgram.start(["--version"], in: folder, limit: "-d 40000").finish()
            #expect(ended.status == 75)
            #expect(ended.output == "")
            #expect(ended.errors.hasPrefix("error: [thread-limit] plughost may start only "), "\(ended.errors)")
        }
    }

    @Test func readsAndWritesJSONAsDeepAsJQ() async throws {
        try await BuiltProgram.withFolder { folder in
            func nested(_ levels: Int) -> String {
                String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
            }
            try Data("\(nested(10_000)) {\"a\":[{},[],{\"b\":\"\\\"]:\"}]}".utf8)
                .write(to: URL(filePath: folder + "/deep.json"))
            try Data(nested(10_001).utf8).write(to: URL(filePath: folder + "/deeper.json"))
            let compact = try await BuiltProgram.run(["jq", "-c", ".", folder + "/deep.json"], in: folder)
            #expect(compact.output == nested(10_000) + "\n" + #"{"a":[{},[],{"b":"\"]:"}]}"# + "\n")
            let slurped = try await BuiltProgram.run(["jq", "-s", "length, .[1]", folder + "/deep.json"], in: folder)
            let pretty = #"{\#n  "a": [\#n    {},\#n    [],\#n    {\#n      "b": "\"]:"\#n    }\#n  ]\#n}\#n"#
            #expect(slurped.output == "2\n" + pretty)
            let made = try await BuiltProgram.run(
                ["jq", "-n", "-c", "reduce range(10000) as $_ (1; [.])"],
                in: folder
            )
            #expect(made.output == nested(10_000) + "\n")
            let deeper = try await BuiltProgram.run(["jq", ".", folder + "/deeper.json"], in: folder)
            #expect(deeper.status == 65)
            #expect(
                deeper.errors.hasPrefix(
                    "error: [jq-input] \(folder)/deeper.json is not JSON: nested deeper than 10000 levels at byte offset 10000"
                )
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
                    error: [output-failed] cannot write the output: No space left on device
                      help: what the command did is not undone; only its output is incomplete

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
