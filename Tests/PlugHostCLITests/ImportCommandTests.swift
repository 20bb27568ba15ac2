import HostConfiguration
import LosslessJSON
import PlugCore
import Testing

@testable import PlugHostCLI

/// `plughost import airbyte`: a plug of another system's manifest.
struct ImportCommandTests {
    private static let stream = """
          - type: DeclarativeStream
            name: books
            primary_key: id
            retriever:
              type: SimpleRetriever
              requester: {type: HttpRequester, url_base: "https://api.example.org", path: /books}
              record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: [data]}}

        """
    private static let custom = "  - {type: DeclarativeStream, name: loans, retriever: {type: CustomRetriever}}\n"

    @Test func writesAPlugThatIsValid() async throws {
        try await Program.withFolder { folder in
            try FilesHere.write("streams:\n\(Self.stream)", to: "\(folder)/manifest.yaml")
            let ended = await Program.run(["import", "airbyte", "\(folder)/manifest.yaml", "-o", "\(folder)/books"])
            #expect(ended.status == .done && ended.errors == "")
            #expect(ended.output.hasPrefix("\(folder)/books/plug.yaml: 1 of 1 streams are in the plug\n"))
            let valid = await Program.run(["validate", "\(folder)/books"])
            #expect(valid.status == .done && valid.errors == "1 manifest: 1 warning\n")
        }
    }

    @Test func whatIsMissingIsListedAndEndsWithOne() async throws {
        try await Program.withFolder { folder in
            try FilesHere.write("streams:\n\(Self.stream)\(Self.custom)", to: "\(folder)/manifest.yaml")
            let ended = await Program.run(
                ["import", "airbyte", "\(folder)/manifest.yaml", "-o", "\(folder)/books", "--json"]
            )
            #expect(ended.status == .failed)
            #expect(
                ended.json == [
                    try JSONValue(
                        parsing: """
                            {"plug":"books","whole":false,"streams":2,"carried":1,"todo":[{"line":9,"stream":"loans",
                            "reason":"the retriever 'CustomRetriever' has no counterpart","left_out":true}],
                            "notes":[]}
                            """
                    )
                ]
            )
        }
    }

    @Test func whereNothingCanBeCarriedOverNothingIsWritten() async throws {
        try await Program.withFolder { folder in
            try FilesHere.write("streams:\n\(Self.custom)", to: "\(folder)/manifest.yaml")
            let ended = await Program.run(["import", "airbyte", "\(folder)/manifest.yaml", "-o", "\(folder)/books"])
            #expect(ended.status == .data && ended.errors.contains("[import-nothing]"))
            #expect(!Files.exists("\(folder)/books"))
        }
    }

    @Test func aFolderThatIsThereIsLeftAlone() async throws {
        try await Program.withFolder { folder in
            try FilesHere.write("streams:\n\(Self.stream)", to: "\(folder)/manifest.yaml")
            let ended = await Program.run(["import", "airbyte", "\(folder)/manifest.yaml", "-o", folder])
            #expect(ended.status == .usage && ended.errors.contains("[init-exists]"))
        }
    }

    @Test func theIdIsTheFoldersOrTheManifestsName() async throws {
        try await Program.withFolder { folder in
            try Files.makeFolder("\(folder)/source-My_Books")
            let file = "\(folder)/source-My_Books/manifest.yaml"
            try FilesHere.write("streams:\n\(Self.stream)", to: file)
            let ended = await Program.run(["import", "airbyte", file, "--check", "--json"])
            #expect(ended.json.first?["plug"]?.stringText == "my-books")
        }
    }

    @Test func aFolderOfManifestsBecomesAFolderOfPlugs() async throws {
        try await Program.withFolder { folder in
            try Files.makeFolder("\(folder)/in/deep/source-shelves/source_shelves")
            let whole = "streams:\n\(Self.stream)"
            try FilesHere.write(whole, to: "\(folder)/in/deep/source-shelves/source_shelves/manifest.yaml")
            try FilesHere.write("\(whole)\(Self.custom)", to: "\(folder)/in/books.yaml")
            try FilesHere.write("streams:\n\(Self.custom)", to: "\(folder)/in/loans.yaml")
            try FilesHere.write("a: [", to: "\(folder)/in/torn.yaml")
            try FilesHere.write("no manifest", to: "\(folder)/in/deep/notes.yaml")
            let ended = await Program.run(["import", "airbyte", "\(folder)/in", "-o", "\(folder)/out"])
            #expect(ended.status == .failed && ended.errors == "")
            let lines = ended.output.replacing(folder, with: "").split(separator: "\n").map(String.init)
            let reason = "stream 'loans': the retriever 'CustomRetriever' has no counterpart"
            #expect(
                lines == [
                    "/out/books: 1 of 2 streams are in the plug", "not carried over:", "  /in/books.yaml:9: \(reason)",
                    "/out/shelves: 1 of 1 streams are in the plug",
                    "/out/loans: 0 of 1 streams are in the plug", "not carried over:", "  /in/loans.yaml:2: \(reason)",
                    "/in/torn.yaml: /in/torn.yaml:2:1: this is not YAML: while parsing a flow node, did not find expected node content",
                    "4 manifests: 1 whole, 1 with something left out, 1 of which nothing can be carried over, 1 failed; "
                        + "2 of 4 streams",
                ]
            )
            #expect(PlugPaths.names(in: "\(folder)/out") == ["books", "shelves"])
            let valid = await Program.run(["validate", "\(folder)/out"])
            #expect(valid.errors == "2 manifests: 2 warnings\n")
        }
    }

    @Test func eachOfSeveralManifestsIsAnObjectOfJSON() async throws {
        try await Program.withFolder { folder in
            let files = ["a", "b"].map { "\(folder)/\($0).yaml" }
            try FilesHere.write("streams:\n\(Self.stream)", to: files[0])
            let ended = await Program.run(["import", "airbyte"] + files + ["--check", "--json"])
            #expect(ended.status == .failed)
            #expect(ended.json.map { $0["file"]?.stringText } == files)
            #expect(ended.json.map { $0["plug"]?.stringText } == ["a", nil])
            #expect(ended.json.map { $0["error"]?["code"]?.stringText } == [nil, "import-unreadable"])
        }
    }

    @Test(arguments: [["--id", "books", "-o", "out"], []])
    func severalManifestsNeedAFolderAndHaveTheirOwnNames(options: [String]) async throws {
        let ended = await Program.run(["import", "airbyte", "a.yaml", "b.yaml"] + options)
        #expect(ended.status == .usage && ended.output == "")
    }
}
