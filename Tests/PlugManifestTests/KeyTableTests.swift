import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// The table of keys, and what is written from it.
struct KeyTableTests {
    @Test func theReferencePageIsWhatTheTableSays() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let page = root.appending(path: "Documentation/manifest-reference.md")
        let written = try String(contentsOf: page, encoding: .utf8)
        #expect(written == ManifestReference.markdown, "'make reference' writes it")
    }

    @Test func eachTableHasAnIdentifierOfItsOwn() {
        let identifiers = Tables.all.map(\.identifier)
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test func eachKeyHasOneSentence() {
        for table in Tables.all {
            for key in table.keys {
                #expect(key.doc.hasSuffix("."), "\(key.name) of \(table.name)")
                #expect(!key.doc.contains("efault:"), "\(key.name) of \(table.name) has a field for that")
            }
        }
    }

    @Test func exclusionsNameKeysOfTheSameTable() {
        for table in Tables.all {
            for key in table.keys {
                #expect(Set(key.excludes).isSubset(of: table.names), "\(key.name) of \(table.name)")
            }
        }
    }

    @Test func namesThatHaveAReplacementAreNoKeys() {
        for table in Tables.all { #expect(Set(table.instead.keys).isDisjoint(with: table.names), "\(table.name)") }
    }

    @Test func examplesHaveTheShapeOfTheirKey() throws {
        for table in Tables.all {
            for key in table.keys {
                guard let example = key.example else { continue }
                let findings = Findings()
                let node = try #require(YAMLReader.read(Array("k: \(example)\n".utf8)).root?["k"])
                #expect(key.shape.check(node, of: key.name, findings) && !findings.hasErrors, "\(key.name)")
            }
        }
    }

    @Test(
        arguments: [
            ("timeout: 30s", "'timeout' is a key of http"), ("title: x", "the stream's name is shown"),
            ("keys: [.id]", "did you mean 'key'?"),
            ("exec: {}", "write it beside 'streams': one program reads all of them"),
        ]
    )
    func anUnknownKeySaysWhatToWriteInstead(line: String, help: String) {
        let result = Sample.read(Sample.header + Sample.http + Sample.stream + "    \(line)\n")
        #expect(result.diagnostics.filter { $0.code == "unknown-key" }.map(\.help) == [help])
    }

    @Test func theSchemaHasEveryTable() {
        let definitions = ManifestSchema.json["$defs"]?.object?.members.map { String($0.key.text) } ?? []
        #expect(definitions == Tables.all.dropFirst().map(\.identifier))
    }
}
