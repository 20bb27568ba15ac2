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
            #expect(valid.status == .done && valid.errors == "1 manifest: no problems\n")
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
}
