import Foundation
import LosslessJSON
import PlugCore
import PlugManifest
import Testing

@testable import HostConfiguration

/// The table of keys, and what is written from it.
struct HostTablesTests {
    private func text(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: "\(HostSample.root)/\(name)"), encoding: .utf8)
    }

    @Test func theReferencePageIsWhatTheTableSays() throws {
        #expect(try text("Documentation/host-reference.md") == HostReference.markdown, "'make reference' writes it")
    }

    @Test func theSchemaHasEveryTable() {
        let definitions = HostReference.schema["$defs"]?.object?.members.map { String($0.key.text) } ?? []
        #expect(
            definitions == [
                "provider", "pda", "source", "programs", "limits", "schedule", "retention", "target-of-notices",
                "secret",
                "webhook-of-notices", "command-of-notices", "mail-of-notices",
            ]
        )
    }

    @Test func eachKeyHasOneSentence() {
        for table in HostTables.all {
            for key in table.keys {
                #expect(key.doc.hasSuffix("."), "\(key.name) of \(table.name)")
                #expect(!key.doc.contains("efault:"), "\(key.name) of \(table.name) has a field for that")
            }
        }
    }

    @Test func namesThatHaveAReplacementAreNoKeys() {
        for table in HostTables.all { #expect(Set(table.instead.keys).isDisjoint(with: table.names), "\(table.name)") }
    }

    @Test func examplesHaveTheShapeOfTheirKey() throws {
        for table in HostTables.all {
            for key in table.keys {
                guard let example = key.example else { continue }
                let findings = Findings()
                let kind = YAMLKind.settings("a test", example: "none")
                let node = try #require(YAMLReader.read(Array("k: \(example)\n".utf8), as: kind).root?["k"])
                #expect(key.shape.check(node, of: key.name, findings) && !findings.hasErrors, "\(key.name)")
            }
        }
    }

    /// A default that is said in words is no value.
    @Test func theDefaultsOfTheTableAreThoseThatCount() throws {
        let words = [
            "public_url", "trusted_proxies", "state", "plugs", "pda.networks", "source.networks", "programs.trust",
            "programs.folders",
            "schedule.quiet",
            "retention.dead_letters", "retention.outbox", "operators",
        ]
        let rows = try HostSample.settings("").rows
        for key in ConfigurationKey.all where !words.contains(key.path) {
            guard let fallback = key.spec.fallback else { continue }
            let row = try #require(rows.first { $0.key == key.path })
            #expect((row.value.stringText ?? row.value.compactText) == fallback, "\(key.path)")
        }
    }

    @Test func theRowsAreInTheOrderOfTheTable() throws {
        let text = "providers: {a: {client_id: x}}\nnotify: {a: {command: {run: [x]}}}"
        let rows = try HostSample.settings(text).rows.map(\.key)
        let keys = ConfigurationKey.all.flatMap { key in
            switch key.path {
            case "providers": ["providers.a.client_id", "providers.a.client_secret"]
            case "notify": ["notify.a.command.run", "notify.a.command.timeout", "notify.a.pdas"]
            default: [key.path]
            }
        }
        #expect(rows == keys)
    }

    @Test func theExampleIsRightAndShowsEveryKey() throws {
        let example = try text("plughost.yaml.example")
        #expect(HostSample.print(try HostSample.read(example)) == "")
        for table in HostTables.all {
            for key in table.names {
                let pattern = try Regex("(?m)^[ #]*.*\\b\(key):")
                #expect(example.firstMatch(of: pattern) != nil, "\(key) of \(table.name)")
            }
        }
    }

    /// The example with every `#` taken away, beside the files that it names.
    @Test func whatTheExampleCommentsOutIsRightToo() throws {
        let lines = try text("plughost.yaml.example").split(separator: "\n", omittingEmptySubsequences: false)
        let whole = lines.filter { !$0.contains("##") }.map { $0.replacing("# ", with: "", maxReplacements: 1) }
        try HostSample.withFolder { folder in
            for name in ["example", "hook", "mail"] { try HostSample.write("hush", to: "\(folder)/\(name).secret") }
            try HostSample.write("", to: "\(folder)/shop/plug.yaml")
            try HostSample.write("", to: "\(folder)/Plugs/a/plug.yaml")
            try HostSample.write(whole.joined(separator: "\n"), to: "\(folder)/plughost.yaml")
            let sources = HostConfiguration.Sources(file: "\(folder)/plughost.yaml", environment: ["HOME": folder])
            let result = try HostConfiguration.read(sources)
            #expect(HostSample.print(result) == "")
            let defaults = (result.settings?.rows ?? []).filter { $0.origin == .default }
            #expect(result.settings != nil && defaults == [])
        }
    }
}
