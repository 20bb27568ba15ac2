import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// Manifests in newer versions of the language: a synthetic `api: 2` and `api: 3`.
struct ManifestMigrationTests {
    private static let versions = [
        LanguageVersion(
            number: 2,
            changes: [
                .rename(path: ["streams", "*", "endpoint"], to: "target"),
                .rename(path: ["streams", "*", "on", "do"], to: "then"),
                .reword(path: ["streams", "*", "since", "order"], from: "asc", to: "oldest_first"),
            ]
        ),
        LanguageVersion(
            number: 3,
            changes: [
                .rename(path: ["streams", "*", "target"], to: "to"),
                .remove(path: ["streams", "*", "every"], advice: "write it in the host's schedule"),
            ]
        ),
    ]

    private static func migrate(_ text: String, _ versions: [LanguageVersion] = versions) throws -> ManifestMigration {
        try ManifestMigration(of: Array(text.utf8), path: "plug.yaml", versions: versions)
    }

    @Test("what has not changed stays as it was written")
    func changes() throws {
        let text = """
            # My plug – with a dash
            plug: test\r
            api: 1     # the version
            streams:
              a: {"endpoint": things, on: [{status: 403, do: skip}, {status: 404, 'do': skip}]}
              endpoint:
                endpoint: endpoint   # endpoint
                since: {field: .a, order: asc}
              c: {since: {order: desc}}

            """
        let migration = try Self.migrate(text, Array(Self.versions.prefix(1)))
        #expect(
            migration.text == """
                # My plug – with a dash
                plug: test\r
                api: 2     # the version
                streams:
                  a: {target: things, on: [{status: 403, then: skip}, {status: 404, then: skip}]}
                  endpoint:
                    target: endpoint   # endpoint
                    since: {field: .a, order: oldest_first}
                  c: {since: {order: desc}}

                """
        )
        #expect(migration.from == 1 && migration.to == 2)
        #expect(
            migration.findings.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)" } == [
                "5:7 'endpoint' is called 'target' in api: 2", "5:46 'do' is called 'then' in api: 2",
                "5:71 'do' is called 'then' in api: 2", "7:5 'endpoint' is called 'target' in api: 2",
                "8:31 'asc' of 'order' is called 'oldest_first' in api: 2",
            ]
        )
    }

    @Test("all versions are gone through, and what only an author can change is told")
    func severalVersions() throws {
        let migration = try Self.migrate("api: 1\nstreams: {a: {endpoint: x, every: 1h}}\n")
        #expect(migration.text == "api: 3\nstreams: {a: {to: x, every: 1h}}\n")
        #expect(migration.findings.filter { $0.severity == .error }.map(\.help) == ["write it in the host's schedule"])
        let later = try Self.migrate("api: 2\nstreams: {a: {target: x}}\n")
        #expect(later.text == "api: 3\nstreams: {a: {to: x}}\n" && later.from == 2)
    }

    @Test("the newest version is as it is")
    func nothingToDo() throws {
        let text = "api: 1\nplug: x\n"
        let migration = try ManifestMigration(of: Array(text.utf8), path: "plug.yaml")
        #expect(migration == (try Self.migrate(text, [])) && migration.text == text && migration.findings == [])
    }

    @Test(arguments: [
        ("plug: x\n", "plug.yaml does not say which version of the language it is in"),
        ("api: 4\n", "plug.yaml: 'api' is 4, and this plughost knows the versions up to 3"),
        ("api: one\n", "plug.yaml does not say which version of the language it is in"),
    ])
    func whatCannotBeMigrated(text: String, message: String) {
        let error = #expect(throws: PlugError.self) { try Self.migrate(text) }
        #expect(error?.message == message && error?.code == "not-migrated" && error?.exit == .configuration)
    }

    @Test func brokenFilesAreTold() {
        let error = #expect(throws: PlugError.self) { try Self.migrate("api: 1\n a: [\n") }
        #expect(error?.message.hasPrefix("plug.yaml:2:") == true)
    }
}
