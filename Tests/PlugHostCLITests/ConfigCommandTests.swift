import ArgumentParser
import Foundation
import HostConfiguration
import LosslessJSON
import PlugCore
import PlugRuntime
import Testing

@testable import PlugHostCLI

/// `plughost config`: what a host goes by, and where it comes from.
struct ConfigCommandTests {
    private func config(
        _ folder: String,
        _ arguments: String...,
        variables: [String: String] = [:],
        terminal: Bool = false
    ) async -> Ended {
        let environment = variables.merging(["HOME": folder]) { first, _ in first }
        return await Program.run(["config"] + arguments, terminal: terminal, environment: environment)
    }

    @Test func printsWhatCountsAndWhereItComesFrom() async throws {
        try await Program.withFolder { folder in
            let file = "\(folder)/host.yaml"
            try FilesHere.write("limits: {memory: 64MiB}\nproviders:\n  a: {client_id: id}\n", to: file)
            let variables = [
                "PLUGHOST_LISTEN": "127.0.0.1:1", "PLUGHOST_CLIENT_A_ID": "v", "PLUGHOST_CLIENT_A_SECRET": "hush",
            ]
            let ended = await config(folder, "--config", file, "--state", "/data", variables: variables)
            #expect(
                ended.output == """
                    listen\t127.0.0.1:1\tPLUGHOST_LISTEN
                    public_url\thttp://127.0.0.1:1\tdefault
                    trusted_proxies\t-\tdefault
                    state\t/data\t--state
                    plugs\t-\tdefault
                    providers.a.client_id\tv\tPLUGHOST_CLIENT_A_ID
                    providers.a.client_secret\t<redacted>\tPLUGHOST_CLIENT_A_ID
                    pda.networks\t-\tdefault
                    pda.directory_upstream\t-\tdefault
                    source.networks\t-\tdefault
                    programs.trust\t-\tdefault
                    programs.folders\t-\tdefault
                    limits.parallel\t64\tdefault
                    limits.memory\t64MiB\t\(file):1
                    limits.outbox\t8MiB\tdefault
                    limits.outbox_total\t1GiB\tdefault
                    limits.dead_letters\t10000\tdefault
                    limits.dead_letter_total\t1GiB\tdefault
                    limits.scratch\t16GiB\tdefault
                    schedule.every\t1h\tdefault
                    schedule.quiet\t-\tdefault
                    schedule.zone\tUTC\tdefault
                    retention.runs\t100\tdefault
                    retention.dead_letters\t-\tdefault
                    retention.outbox\t-\tdefault
                    operators\t-\tdefault

                    """
            )
            #expect(ended.errors == "the file is \(file)\n" && ended.status == .done)
            let table = await config(folder, "--config", file, terminal: true)
            #expect(table.output.hasPrefix("key                        value"))
            let json = await config(folder, "--config", file, "--json", variables: variables)
            #expect(
                json.json.prefix(4).map(\.compactText) == [
                    #"{"key":"listen","value":"127.0.0.1:1","origin":"environment","place":"PLUGHOST_LISTEN"}"#,
                    #"{"key":"public_url","value":"http://127.0.0.1:1","origin":"default","place":null}"#,
                    #"{"key":"trusted_proxies","value":[],"origin":"default","place":null}"#,
                    "{\"key\":\"state\",\"value\":\"\(folder)/.local/state/plughost\",\"origin\":\"default\",\"place\":null}",
                ]
            )
            #expect(json.json.count == 26 && !json.output.contains("hush"))
        }
    }

    @Test func withoutAFileItSaysWhereOneWouldBe() async throws {
        let ended = await config("/nowhere")
        #expect(ended.errors == "there is no file; it would be /nowhere/.local/state/plughost/plughost.yaml\n")
        #expect(ended.status == .done)
    }

    @Test func aWrongConfigurationIsToldAsValidateTellsAManifest() async throws {
        try await Program.withFolder { folder in
            let file = "\(folder)/host.yaml"
            try FilesHere.write("listne: 127.0.0.1:1\n", to: file)
            let ended = await config(folder, "--config", file)
            #expect(
                ended.output == """
                    \(file):1:1: error: [unknown-key] 'listne' is not a key of plughost.yaml
                        listne: 127.0.0.1:1
                        ^~~~~~
                      help: did you mean 'listen'?

                    """
            )
            #expect(ended.errors == "'plughost explain CODE' explains a code\n" && ended.status == .configuration)
            let json = await config(folder, "--config", file, "--json")
            #expect(json.json.map { $0["code"] } == [.text("unknown-key")] && json.errors == "")
            let option = await config(folder, "--listen", "80")
            #expect(option.status == .usage && option.output.contains("--listen:1:1: error: [bad-listen]"))
            let missing = await config(folder, "--config", "\(folder)/none")
            #expect(missing.status == .configuration && missing.errors.contains("[file-missing]"))
        }
    }

    @Test func theSchemaAndTheReferenceOfTheFileArePrinted() async throws {
        let schema = await Program.run(["schema", "--config"])
        #expect(try JSONValue(parsing: schema.output) == HostReference.schema)
        let page = await Program.run(["schema", "--config", "--format", "markdown"])
        #expect(page.output == HostReference.markdown)
    }

    /// One limit, two ways to say it: the bounds and the defaults are the same.
    @Test func theLimitsAreThoseOfRun() async throws {
        let result = try HostConfiguration.read(.init(environment: ["HOME": "/nowhere"]))
        let limits = try #require(result.settings?.limits)
        let run = try #require(try RootCommand.parseAsRoot(["run", "x"]) as? RunCommand)
        #expect(limits.parallel.value == run.parallel && limits.memory.value == run.limits.memory)
        #expect(try limits.ofEachRun == run.limits.limits())
        for few in ["0", "-5"] {
            let wrong = try #require(
                try RootCommand.parseAsRoot(["run", "x", "--dead-letter-limit=\(few)"]) as? RunCommand
            )
            let error = #expect(throws: PlugError.self) { try wrong.limits.limits() }
            #expect(error?.code == .badSize && error?.message == "--dead-letter-limit must be 1 or more")
        }
        for (memory, parallel, isRight) in [
            ("16MiB", "10000", true), ("16383KiB", "1", false), ("1GiB", "10001", false),
        ] {
            let said = ["run", "x", "--memory", memory, "--parallel", parallel]
            #expect(((try? RootCommand.parseAsRoot(said)) != nil) == isRight)
            let variables = ["HOME": "/", "PLUGHOST_LIMITS_MEMORY": memory, "PLUGHOST_LIMITS_PARALLEL": parallel]
            #expect((try HostConfiguration.read(.init(environment: variables)).settings != nil) == isRight)
        }
    }

    @Test func theVariableNamesTheStateOfOtherCommandsToo() async throws {
        try await Program.withFolder { folder in
            try await StoredLetters.write([StoredLetters.letter()], of: "ada", to: "\(folder)/state")
            let variables = ["HOME": "/nowhere", "PLUGHOST_STATE": "\(folder)/state"]
            let list = ["connection", "list", "--json"]
            let ended = await Program.run(list, environment: variables)
            #expect(ended.json.map { $0["connection"] } == [.text("ada")], "\(ended.errors)")
            // So does the configuration of the host, unless the folder is named.
            let file = "\(folder)/host.yaml"
            try FilesHere.write("state: \(folder)/state\n", to: file)
            let home = ["HOME": "\(folder)/nobody"]
            for (arguments, more) in [
                (list + ["--config", file], [:]), (list, ["PLUGHOST_CONFIG": file]),
                (list + ["--state", "\(folder)/state"], ["PLUGHOST_CONFIG": "\(folder)/none.yaml"]),
            ] as [([String], [String: String])] {
                let ended = await Program.run(arguments, environment: home.merging(more) { $1 })
                #expect(ended.json.map { $0["connection"] } == [.text("ada")], "\(arguments): \(ended.errors)")
            }
            for command in [["runs", "list"], ["deadletters", "list"], ["outbox", "list"], ["apikey", "list"]] {
                let ended = await Program.run(command + ["--config", file], environment: home)
                #expect(ended.status == .done, "\(command): \(ended)")
            }
            let missing = await Program.run(list + ["--config", "\(folder)/none.yaml"], environment: home)
            #expect(missing.status == .configuration, "\(missing)")
        }
    }

    @Test func aLinkForAnOperatorLeadsToWhereTheHostListens() async throws {
        try await Program.withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/state", withIntermediateDirectories: true)
            let link = ["operator", "link", "ada", "--state", "\(folder)/state"]
            func origin(_ more: String...) async -> String {
                await Program.run(link + more, environment: ["HOME": folder]).output.split(separator: "/operator")
                    .first.map(String.init) ?? ""
            }
            #expect(await origin() == "http://127.0.0.1:22100")
            try FilesHere.write("http://127.0.0.1:25001\n", to: "\(folder)/state/address")
            #expect(await origin() == "http://127.0.0.1:25001")
            #expect(await origin("--listen", "127.0.0.1:25002") == "http://127.0.0.1:25002")
            #expect(await origin("--public-url", "https://plugs.example") == "https://plugs.example")
        }
    }
}
