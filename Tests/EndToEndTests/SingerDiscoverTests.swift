import Foundation
import LosslessJSON
import TestKit
import Testing

/// Plugs that are made of what a program says about itself.
@Suite(
    .fewAtATime,
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .needsBubblewrap
)
struct SingerDiscoverTests {
    private func discover(_ world: ProgramWorld, _ path: String, _ more: [String] = []) async throws
        -> BuiltProgram.Ended
    {
        try await BuiltProgram.run(
            [
                "singer", "discover", path, "--allow-network", "127.0.0.0/8", "--state", world.folder + "/state",
                "--json",
            ] + more,
            in: world.folder
        )
    }

    /// Writes the program's configuration, and gives the options of a new plug.
    private func options(_ world: ProgramWorld, fault: String = "") throws -> [String] {
        let given =
            #"{"url": "http://\#(world.source.authority)/", "token": "s3cr3t", "every": 2, "fault": "\#(fault)", "tags": ["a"]}"#
        try Data(given.utf8).write(to: URL(filePath: world.folder + "/given.json"))
        return [
            "--tap-config", world.folder + "/given.json", "--host", world.source.authority, "--name", "taps", "--into",
            world.folder + "/new",
        ]
    }

    @Test(arguments: ["", "old"]) func aPlugIsMadeAndReadsTheProgram(_ fault: String) async throws {
        try await ProgramWorld.with { world in
            let program = world.folder + "/tap.py"
            let made = try await discover(world, program, options(world, fault: fault))
            #expect(made.status == 0, "\(made)")
            let folder = world.folder + "/new/taps"
            #expect(try JSONValue(parsing: made.output)["streams"] == .integer(2))
            let properties = fault == "old" ? "\n  properties: true" : ""
            let manifest = try String(contentsOfFile: folder + "/plug.yaml", encoding: .utf8)
            #expect(
                manifest == """
                    # Made by 'plughost singer discover' from what \(program) says about itself.
                    plug: taps
                    api: 1
                    version: 0.1.0
                    hosts: ["\(world.source.authority)"]
                    config:
                      url: {type: string}
                      token: {type: string, secret: true}
                      every: {type: integer}
                      fault: {type: string}
                      tags_1: {type: string}
                    exec:
                      command: [\(program)]
                      config: {url: "{{ config.url }}", token: "{{ config.token }}", every: "{{ config.every }}", fault: "{{ config.fault }}", tags: ["{{ config.tags_1 }}"]}
                      catalog: catalog.json\(properties)
                    streams:
                      things:
                        endpoint: things
                        key: [.id]
                        version: .changed
                      notes:
                        endpoint: notes
                        key: [.id]
                        version: .changed

                    """
            )
            world.add(1...3)
            try Data("s3cr3t".utf8).write(to: URL(filePath: world.folder + "/secret"))
            var arguments = world.arguments(isTrusted: false)
            arguments[1] = folder
            let values = ["url=http://\(world.source.authority)/", "every=2", "fault=\(fault)", "tags_1=a"]
            let secret = ["--config", "token=@\(world.folder)/secret"]
            let ran = try await BuiltProgram.run(
                arguments + values.flatMap { ["--config", $0] } + secret,
                in: world.folder
            )
            #expect(ran.status == 0, "\(ran)")
            #expect(
                world.stored.sorted() == ["taps/notes/3@3", "taps/things/1@1", "taps/things/2@2", "taps/things/3@3"]
            )
            let again = try await discover(world, program, options(world))
            #expect(again.status == 64 && again.errors.contains("init-exists"), "\(again)")
        }
    }

    @Test func onlyTheStreamsThatAreNamedAreWritten() async throws {
        try await ProgramWorld.with { world in
            let program = world.folder + "/tap.py"
            let unknown = try await discover(world, program, options(world) + ["--stream", "note"])
            #expect(unknown.status == 78, "\(unknown)")
            #expect(unknown.errors.contains("the program has no stream 'note'"), "\(unknown)")
            #expect(unknown.errors.contains("--stream takes one of: things, notes"), "\(unknown)")
            let made = try await discover(world, program, options(world) + ["--stream", "notes"])
            #expect(made.status == 0, "\(made)")
            let manifest = try String(contentsOfFile: world.folder + "/new/taps/plug.yaml", encoding: .utf8)
            #expect(manifest.contains("notes:") && !manifest.contains("things"))
        }
    }

    @Test func theCatalogueOfAPlugIsWrittenAnewAndWhatItLacksIsPrinted() async throws {
        try await ProgramWorld.with { world in
            let path = world.folder + "/plug.yaml"
            let manifest = try String(contentsOfFile: path, encoding: .utf8)
            try Data(manifest.replacing("  notes: {endpoint: notes, version: none}\n", with: "").utf8)
                .write(to: URL(filePath: path))
            let renewed = try await BuiltProgram.run(
                ["singer", "discover", world.folder, "--state", world.folder + "/state"],
                in: world.folder
            )
            #expect(renewed.status == 0, "\(renewed)")
            #expect(
                renewed.output == """
                    wrote \(world.folder)/catalog.json with 2 streams
                    the manifest does not read it: write 'catalog: catalog.json' in 'exec'
                    streams that the manifest lacks:
                      notes:
                        endpoint: notes
                        key: [.id]
                        version: .changed

                    """
            )
        }
    }

    @Test func aProgramThatHasNoCatalogueOrIsNotThereIsTold() async throws {
        try await ProgramWorld.with { world in
            let none = try await discover(world, "/bin/true", ["--name", "taps"])
            #expect(none.status == 65, "\(none)")
            #expect(none.errors.contains("'/bin/true --discover' has written no catalogue, but nothing"), "\(none)")
            let logging = world.folder + "/noisy-tap"
            let lines = ["INFO starting", #"{"level": 1}"#, #"{"streams": [{"stream": "a"}]}"#].map { "echo '\($0)'\n" }
            try Data(("#!/bin/sh\n" + lines.joined()).utf8).write(to: URL(filePath: logging))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: logging)
            let logged = try await discover(world, logging, ["--name", "noisy", "--into", world.folder])
            #expect(logged.status == 0, "\(logged)")
            let missing = try await discover(world, "tap-that-nobody-has-installed")
            #expect(missing.status == 78 && missing.errors.contains("program-not-found"), "\(missing)")
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/taps"))
        }
    }
}
