import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// `graphql: {query: FILE}`: a file beside the manifest, and nothing else.
struct QueryFileTests {
    /// A folder with a manifest whose query is `query`, with what `fill` puts into it.
    private func load(
        _ query: String,
        _ fill: (URL) throws -> Void = { _ in }
    ) throws -> ManifestResult {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(at: Self.outside(folder))
        }
        try fill(folder)
        let text =
            Sample.header + Sample.http
            + "streams:\n  things: {endpoint: t, key: .id, version: none, request: {path: /q, graphql: {query: \(query)}}}\n"
        try text.write(to: folder.appending(path: "plug.yaml"), atomically: true, encoding: .utf8)
        return try ManifestReader.load(folder.path)
    }

    /// A folder beside the manifest's.
    private static func outside(_ folder: URL) -> URL {
        folder.deletingLastPathComponent().appending(path: "outside-\(folder.lastPathComponent)")
    }

    private func write(_ text: String, to file: URL) throws {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    @Test func theTextOfTheFileIsTheQuery() throws {
        let manifest = try Sample.manifest(
            load("queries/things.graphql") { folder in
                try FileManager.default.createDirectory(
                    at: folder.appending(path: "queries"),
                    withIntermediateDirectories: true
                )
                try write("query {\n  things { id }\n}\n", to: folder.appending(path: "queries/things.graphql"))
            }
        )
        let body = try manifest.streams[0].request?.json?.render(TemplateRoots())
        #expect(body?["query"]?.stringText == "query {\n  things { id }\n}\n")
        #expect(manifest.source.files == ["queries/things.graphql": "query {\n  things { id }\n}\n"])
        var other = manifest.source
        other.files["queries/things.graphql"] = "query { things { id name } }"
        #expect(other.content != manifest.source.content)
    }

    @Test func aQueryThatEndsLikeANameIsNone() throws {
        let manifest = try Sample.manifest(load("'query { a } # a.graphql'"))
        #expect(
            try manifest.streams[0].request?.json?.render(TemplateRoots())["query"]?.stringText
                == "query { a } # a.graphql"
        )
    }

    @Test(
        arguments: [
            ("../other.graphql", "it is not beside the manifest"), ("/etc/a.graphql", "it is not beside the manifest"),
            ("a/../../b.graphql", "it is not beside the manifest"),
            (".hidden.graphql", "it is not beside the manifest"),
            ("a//b.graphql", "it is not beside the manifest"), ("missing.graphql", "No such file or directory"),
            ("link.graphql", "Too many levels of symbolic links"), ("linked/a.graphql", "Not a directory"),
            ("folder.graphql", "it is not a file"), ("latin.graphql", "it is not text in UTF-8"),
            ("large.graphql", "it has more than 256 KiB"),
        ]
    )
    func nothingElseIsRead(_ name: String, _ reason: String) throws {
        let result = try load(name) { folder in
            let outside = Self.outside(folder)
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            try write("secret", to: outside.appending(path: "a.graphql"))
            let manager = FileManager.default
            try manager.createSymbolicLink(
                at: folder.appending(path: "link.graphql"),
                withDestinationURL: outside.appending(path: "a.graphql")
            )
            try manager.createSymbolicLink(at: folder.appending(path: "linked"), withDestinationURL: outside)
            try manager.createDirectory(at: folder.appending(path: "folder.graphql"), withIntermediateDirectories: true)
            try Data([0x71, 0xE9]).write(to: folder.appending(path: "latin.graphql"))
            try write(String(repeating: "a", count: 256 << 10 | 1), to: folder.appending(path: "large.graphql"))
        }
        #expect(Sample.places(result) == ["9:87 query-file"])
        #expect(result.diagnostics.map(\.message) == ["cannot read '\(name)': \(reason)"])
        #expect(result.manifest == nil)
    }

    @Test func aManifestThatIsInNoFolderNamesNoFiles() {
        let result = Sample.withStream("")
        #expect(result.diagnostics.isEmpty)
        let named = Sample.read(
            Sample.header + Sample.http
                + "streams:\n  things: {endpoint: t, key: .id, version: none, request: {path: /q, graphql: {query: a.gql}}}\n"
        )
        #expect(named.diagnostics.map(\.message) == ["cannot read 'a.gql': this manifest is not in a folder"])
    }

    @Test(
        "each variable that is sent is in the query, and each in the query is declared and used",
        arguments: [
            ("query($page: Int, $since: Int) {t(page: $page, since: $since) {id}}", []),
            ("query($page: Int, $sinse: Int) {t(page: $page, since: $sinse) {id}}", ["'since' is sent as a variable"]),
            ("query($page: Int, $since: Int) {t(page: $page) {id}}", ["the query names '$since' once"]),
            (
                "query($page: Int) {t(page: $page) {id}} # $since",
                ["'since' is sent as a variable"]
            ),
        ] as [(String, [String])]
    )
    func variables(query: String, told: [String]) {
        let result = Sample.read(
            Sample.header + Sample.http
                + """
                streams:
                  things:
                    endpoint: t
                    key: .id
                    version: content
                    request: {path: /q, graphql: {query: "\(query)"}}
                    page: {number: {param: page}, in: variables, more: .more}
                    since: {field: .at, type: epoch, send: {variables: {since: epoch}}}

                """
        )
        let messages = result.diagnostics.filter { $0.code.text == "query-variable" }.map(\.message)
        #expect(messages.count == told.count, "\(messages)")
        for (message, words) in zip(messages, told) { #expect(message.hasPrefix(words), "\(message)") }
    }
}
