import LosslessJSON
import PlugCore
import PlugModules
import Testing

@testable import PlugManifest

/// `swift` in a stream.
struct ModuleKeyTests {
    private struct Letters: StreamFetcher {
        init(_ context: FetchContext) {}
        func page(after cursor: JSONValue?) async throws -> StreamPage { StreamPage([], cursor: nil, isLast: true) }
    }

    private struct Parcels: StreamFetcher {
        init(_ context: FetchContext) {}
        func page(after cursor: JSONValue?) async throws -> StreamPage { StreamPage([], cursor: nil, isLast: true) }
    }

    /// A manifest whose only stream has these lines.
    private func read(_ lines: String, fetchers: [any StreamFetcher.Type] = [Letters.self, Parcels.self]) throws
        -> ManifestResult
    {
        let stream =
            (["endpoint: things", "key: [.id]", "version: none"] + lines.split(separator: "\n").map(String.init))
            .map { "    \($0)\n" }.joined()
        let text =
            Sample.header + Sample.http + "config: {token: {type: string, secret: true}}\nstreams:\n  things:\n"
            + stream
        return ManifestReader.read(path: "plug.yaml", text: Array(text.utf8), fetchers: try FetcherRegistry(fetchers))
    }

    @Test func aNameIsEnough() throws {
        let stream = try #require(try Sample.manifest(read("swift: Letters")).streams.first)
        #expect(stream.module?.name == "Letters")
        #expect(stream.module?.options == nil)
        #expect(stream.request == nil)
    }

    @Test func optionsAreTemplatesThatMayHaveSecrets() throws {
        let manifest = try Sample.manifest(
            read(#"swift: {fetcher: Letters, options: {days: 30, password: "{{ config.token }}"}}"#)
        )
        let roots = TemplateRoots(config: .members(("token", .text("s3cret"))))
        let options = try manifest.streams.first?.module?.options?.render(roots)
        #expect(options?.compactText == #"{"days":30,"password":"s3cret"}"#)
    }

    @Test func aNameThatTheHostDoesNotHaveIsToldWithThoseThatItHas() throws {
        let result = try read("swift: Leters")
        #expect(
            Sample.print(result) == """
                plug.yaml:14:12: error: [unknown-fetcher] no fetcher 'Leters' is registered with this host
                        swift: Leters
                               ^~~~~~
                  help: did you mean 'Letters'? (registered are: Letters, Parcels)

                """
        )
        let other = try read("swift: {fetcher: Birds}")
        #expect(
            other.diagnostics.map(\.help) == [
                "registered are: Letters, Parcels; a plug with a fetcher of its own runs in the program that its package builds"
            ]
        )
        let none = try read("swift: Letters", fetchers: [])
        #expect(
            none.diagnostics.map(\.help) == [
                "none is registered; a plug with a fetcher of its own runs in the program that its package builds"
            ]
        )
    }

    @Test(arguments: [
        ("swift: Letters\nrecords: .items", "unknown-key"),
        ("swift: Letters\npage: {next: .next}", "unknown-key"),
        ("swift: Letters\nsince: {field: .at, type: time}", "unknown-key"),
        ("swift: Letters\nfor_each: {list: [1]}", "unknown-key"),
        ("swift: Letters\nrequest: {path: /things}", "two-kinds"),
        ("swift: {options: {a: 1}}", "missing-key"),
        ("swift: {fetcher: Letters, name: x}", "unknown-key"),
        ("swift: [Letters]", "wrong-type"),
        ("swift: {fetcher: Letters, options: {a: \"{{ page.index }}\"}}", "root-unavailable"),
    ])
    func whatDoesNotStandBesideItIsAMistake(_ lines: String, _ code: String) throws {
        #expect(Sample.codes(try read(lines)) == [code])
    }

    @Test func theHostDoesNotKnowWhetherAPassReadsEverything() throws {
        let result = try read("swift: Letters\ndeletes: {missing: true}")
        #expect(
            result.diagnostics.filter { $0.code.text == "deletes-missing" }.map(\.message) == [
                "'missing' needs passes that read everything, and what a fetcher reads is not known"
            ]
        )
    }

    @Test func aRuleMayForgetItsCursor() throws {
        #expect(Sample.codes(try read("swift: Letters\non: [{status: 410, do: reread}]")) == [])
    }

    @Test func itStandsInStreamsWithoutRequestsOnly() throws {
        #expect(Sample.codes(Sample.withStream("swift: Letters")).contains("two-kinds"))
    }
}
