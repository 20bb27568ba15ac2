import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

/// Small helps for whoever writes a plug.
struct AuthoringTests {
    @Test func programsOfPagesSeeTheHeadersThatAreGiven() async throws {
        let stream = """
            items:
              endpoint: items
              request: {path: /items}
              records: .items
              page: {number: {param: page}, pages: 'headers["x-pages"] | tonumber', total: 'headers["x-tags"]'}
              key: [.id]
              version: none
            """
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: stream, to: folder)
            try FilesHere.write(#"{"items":[]}"#, to: "\(folder)/page.json")
            func run(_ program: String, _ options: [String]) async -> Ended {
                await Program.run(["jq", "--plug", folder, "--program", program] + options + ["\(folder)/page.json"])
            }
            let pages = await run("page.pages", ["--header", "X-Pages: 7", "--header", "X-Other: a:b"])
            #expect(pages.status == .done && pages.output == "7\n", "\(pages.errors)")
            let joined = await run("page.total", ["--header", "X-Tags:a", "--header", "x-tags: b"])
            #expect(joined.output == "\"a, b\"\n", "\(joined.errors)")
            #expect(await run("page.total", []).output == "null\n")

            let wrong = await run("page.pages", ["--header", "X-Pages 7"])
            #expect(wrong.status == .usage && wrong.errors.contains("write --header 'Name: value'"))
            let unseen = await run("key", ["--header", "X-Pages: 7"])
            #expect(unseen.status == .usage && unseen.errors.contains("--header is for page.next, page.more"))
            let plain = await Program.run(["jq", ".", "--header", "X-Pages: 7"])
            #expect(plain.status == .usage && plain.errors.contains("--header are for --plug"))
        }
    }

    @Test func aNewPlugNamesTheAnswersThatItNeeds() async throws {
        try await Program.withFolder { folder in
            let made = await Program.run(["init", "feeds", "--like", "\(Program.root)/Plugs/ics", "--into", folder])
            #expect(made.status == .done, "\(made.errors)")
            #expect(
                made.output.contains(
                    "plughost try \(folder)/feeds --config path=@FILE      reads the service, and delivers nothing\n"
                ),
                "\(made.output)"
            )
        }
    }

    @Test func aNewPackageHasAFetcherAndTheProgramForIt() async throws {
        try await Program.withFolder { folder in
            let made = await Program.run([
                "init", "my-journal", "--swift", "--package", "../../plughost", "--into", folder, "--json",
            ])
            #expect(made.status == .done, "\(made.errors)")
            let files = try JSONValue(parsing: made.output)["files"]?.elements?.compactMap(\.stringText)
            #expect(
                files == [
                    ".gitignore", "Package.swift", "README.md", "Sources/my-journal/MyJournalExport.swift",
                    "Sources/my-journal/main.swift", "plug/fixtures/first-export.golden.jsonl",
                    "plug/fixtures/first-export.json", "plug/fixtures/second-export.golden.jsonl",
                    "plug/fixtures/second-export.json", "plug/plug.yaml",
                ]
            )
            let main = try String(contentsOfFile: "\(folder)/my-journal/Sources/my-journal/main.swift", encoding: .utf8)
            #expect(main == "import DataPlug\n\nawait PlugHost.main(fetchers: [MyJournalExport.self])\n")
            let plug = await Program.run(["validate", "\(folder)/my-journal/plug"])
            #expect(plug.status == .configuration)
            #expect(
                plug.output.contains("[unknown-fetcher] no fetcher 'MyJournalExport' is registered"),
                "\(plug.output)"
            )

            let odd = await Program.run(["init", "other", "--swift", "--package", "a\"b", "--into", folder])
            #expect(odd.status == .usage)
            let both = await Program.run(["init", "other", "--swift", "--like", "github"])
            #expect(both.status == .usage)
        }
    }

    @Test func aNewPlugWhoseServiceAsksForConsentNamesTheCommandForIt() async throws {
        try await Program.withFolder { folder in
            let made = await Program.run(["init", "runs", "--like", "\(Program.root)/Plugs/strava", "--into", folder])
            #expect(made.status == .done, "\(made.errors)")
            let next = """
                  plughost connect \(folder)/runs --connection me --pda URL --client-id ID      asks for your consent
                  plughost try \(folder)/runs --connection me      reads the service, and delivers nothing
                """
            #expect(made.output.contains(next), "\(made.output)")
        }
    }
}
