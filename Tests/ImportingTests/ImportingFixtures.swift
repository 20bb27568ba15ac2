import PlugCore
import PlugManifest

@testable import Importing

/// A manifest as a plug with the id `books`.
func imported(_ text: String) throws -> ImportedPlug {
    try AirbyteImport.plug(of: ForeignManifest(Array(text.utf8), name: "manifest.yaml"), id: "books")
}

/// A manifest with one stream, of which a test changes single parts.
struct OneStream {
    var requester = """
        {type: HttpRequester, url_base: "https://api.example.org/v1", path: /books}
        """
    var selector = """
        {type: RecordSelector, extractor: {type: DpathExtractor, field_path: [books]}}
        """
    var paginator = "{type: NoPagination}"
    var router = "null"
    var cursor = "null"
    var transformations = "[]"
    var key = "id"
    var decoder = "{type: JsonDecoder}"
    var properties = "{}"
    var schema = "null"

    var text: String {
        """
        version: 6.0.0
        type: DeclarativeSource
        check: {type: CheckStream, stream_names: [books]}
        streams:
          - type: DeclarativeStream
            name: books
            primary_key: \(key)
            retriever:
              type: SimpleRetriever
              requester: \(requester)
              record_selector: \(selector)
              paginator: \(paginator)
              partition_router: \(router)
              decoder: \(decoder)
            incremental_sync: \(cursor)
            transformations: \(transformations)
            schema_loader: \(schema)
        spec:
          type: Spec
          connection_specification:
            type: object
            required: [token]
            properties: \(properties)
        """
    }

    /// The lines of the stream in the plug.
    func lines() throws -> [String] {
        let plug = try imported(text)
        let lines = (plug.manifest ?? "").split(separator: "\n").map(String.init)
        let start = lines.firstIndex(of: "  books:").map { $0 + 1 } ?? lines.count
        return lines[start...].map { String($0.dropFirst(4)) }
    }

    /// Why the stream is not in the plug.
    func reasons() throws -> [String] { try imported(text).findings.map(\.reason) }
}

/// An expression as jq, where it stands in a transformation or a filter.
func overRecord(_ jinja: String) throws -> String { try program(jinja, .record) }

/// An expression as jq over an answer.
func overPage(_ jinja: String) throws -> String { try program(jinja, .page) }

/// A condition over a record.
func condition(_ jinja: String, _ place: JinjaScope.Place = .record) throws -> String {
    try JinjaTemplate("{{ \(jinja) }}", scope(place)).condition()
}

/// A text as a template.
func template(_ text: String) throws -> String { try JinjaTemplate(text, scope(.template)).template(.wire) }

private func program(_ jinja: String, _ place: JinjaScope.Place) throws -> String {
    try JinjaTemplate("{{ \(jinja) }}", scope(place)).program().text
}

/// Settings `user`, `size` (an integer), `deep.one`, `token` (a secret), and a stream read for `board`, with bounds.
private func scope(_ place: JinjaScope.Place) -> JinjaScope {
    var config = ConfigKeys()
    config.add(ConfigKeys.Key(path: ["user"], name: "user"))
    config.add(ConfigKeys.Key(path: ["size"], name: "size", type: "integer"))
    config.add(ConfigKeys.Key(path: ["all"], name: "all", type: "boolean"))
    config.add(ConfigKeys.Key(path: ["deep", "one"], name: "deep_one"))
    config.add(ConfigKeys.Key(path: ["token"], name: "token", isSecret: true))
    var scope = JinjaScope(place: place, config: config)
    scope.partitions.values = ["board": "board.id"]
    scope.boundFormat = "%Y-%m-%d"
    scope.pageToken = "page.cursor"
    scope.records.list = "(.items)"
    return scope
}

/// The line of an imported stream that begins with a key.
func importedLine(_ key: String, _ change: (inout OneStream) -> Void) throws -> String? {
    try importedLines(change).first { $0.hasPrefix("\(key):") }
}

/// The lines of an imported stream of a plug with a few settings.
func importedLines(_ change: (inout OneStream) -> Void) throws -> [String] {
    var stream = OneStream()
    stream.properties = """
        {user: {type: string}, size: {type: integer, default: 7}, token: {type: string, airbyte_secret: true},
                start: {type: string}, end: {type: string}, ids: {type: array, items: {type: string}}}
        """
    change(&stream)
    return try stream.lines()
}
