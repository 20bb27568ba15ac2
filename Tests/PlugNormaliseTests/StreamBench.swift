import LosslessJSON
import PlugCore
import PlugManifest
import Testing

@testable import PlugNormalise

/// One stream and what its normaliser makes of pages.
struct StreamBench {
    let stream: PlugManifest.Stream
    let manifest: Manifest
    private let normaliser: Normaliser

    /// A stream `items` with these lines in its manifest.
    init(_ lines: [String]) throws {
        let result = Self.read(lines)
        #expect(result.diagnostics.filter { $0.severity == .error } == [])
        manifest = try #require(result.manifest)
        stream = try #require(manifest.streams.first)
        normaliser = try #require(Normaliser(stream, config: .object(JSONObject())))
    }

    static func read(_ lines: [String]) -> ManifestResult {
        let text =
            "plug: demo\napi: 1\nversion: 1.0.0\nhosts: [api.example.org]\nhttp: {base: \"https://api.example.org\"}\nstreams:\n"
            + "  items:\n    endpoint: items\n    request: {path: /items}\n" + lines.map { "    \($0)\n" }.joined()
        return ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
    }

    /// What becomes of the records of a list.
    func normalise(_ json: String, sampled: Int = 0) throws -> NormalisedPage {
        let document = try JSONDocument(bytes: Array(json.utf8))
        let records = try #require(document.root.elements)
        return try normaliser.normalise(
            FetchedPage(records: records, states: [:], origin: "https://api.example.org/items"),
            sampled: sampled
        )
    }

    /// The records as they are sent.
    func records(_ page: NormalisedPage) -> [String] {
        page.block.entries.map { String(decoding: page.block.bytes[$0.range], as: UTF8.self) }
    }

    /// The same as values.
    func values(_ page: NormalisedPage) -> [JSONValue] {
        records(page).compactMap { try? JSONValue(parsing: Array($0.utf8)) }
    }
}
