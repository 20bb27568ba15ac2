import LosslessJSON
import PlugCore
import PlugManifest
import Scaffolding
import TestKit
import Testing

/// Plugs that are begun from a description of an API.
struct OpenAPIPlugTests {
    /// A description with one operation.
    private func description(
        parameters: String = "[]",
        schema: String,
        path: String = "/things",
        security: String = "[]",
        schemes: String = "{}",
        headers: String = "{}"
    ) throws -> OpenAPIDescription {
        try OpenAPIDescription(
            try JSONValue(
                parsing: """
                    {"openapi": "3.0.3", "info": {"title": "Shelf: books & co"},
                     "servers": [{"url": "https://{region}.shelf.example/v2/", "variables": {"region": {"default": "eu"}}}],
                     "paths": {"\(path)": {"get": {"operationId": "list", "security": \(security), "parameters": \(parameters),
                       "responses": {"200": {"headers": \(headers), "content": {"application/json": {"schema": \(schema)}}}}}}},
                     "components": {"securitySchemes": \(schemes), "schemas": {
                       "Base": {"type": "object", "properties": {"id": {"type": "integer"}}},
                       "Book": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {
                         "full_title": {"type": "string", "example": "Emma"}, "updated_at": {"type": "string", "format": "date-time"},
                         "born": {"type": "string", "format": "date"}, "tags": {"type": "array", "items": {"type": "string"}},
                         "author": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}},
                         "pages": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}}}]},
                       "Books": {"type": "object", "properties": {"meta": {"type": "object", "properties": {
                         "next_cursor": {"type": ["string", "null"]}}},
                         "items": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}}}}}}}
                    """
            )
        )
    }

    private func draft(_ description: OpenAPIDescription) throws -> PlugDraft {
        try OpenAPIPlug(description, try description.operation("list"), id: "shelf").draft()
    }

    /// The manifest without what every plug begins with.
    private func streams(_ draft: PlugDraft) throws -> String {
        let result = ManifestReader.read(path: "plug.yaml", text: Array(draft.manifest.utf8))
        #expect(result.diagnostics.map(\.message) == [])
        let lines = draft.manifest.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "auth: none" && !$0.hasPrefix("config:") }.joined(separator: "\n")
    }

    private static let books = ##"{"$ref": "#/components/schemas/Books"}"##

    @Test func aListWithTokensIsTakenOver() throws {
        let parameters = """
            [{"name": "cursor", "in": "query", "schema": {"type": "string"}},
             {"name": "kind", "in": "query", "required": true, "schema": {"type": "string", "enum": ["book", "map"]}}]
            """
        let draft = try draft(try description(parameters: parameters, schema: Self.books))
        #expect(
            try streams(draft) == """
                auth: none

                http:
                  base: "https://eu.shelf.example/v2"
                  limits: [{rate: 60/60s}]      # what the service allows

                streams:
                  things:
                    endpoint: things
                    request: {path: /things, query: {kind: book}}
                    records: .items
                    page: {cursor: {from: .meta.next_cursor, param: cursor}}
                    key: .id
                    version: .updated_at
                    # Not carried over: pages.
                    map: |
                      {
                        id: (.id | tostring),
                        fullTitle: .full_title,
                        updatedAt: .updated_at,
                        born,
                        tags,
                        authorId: (.author.id | tostring),
                        authorName: .author.name
                      }
                    fields: {updatedAt: time, born: date}
                    every: 1h
                    tests:
                      - in: {"id":1,"full_title":"Emma","updated_at":"2026-11-21T08:00:00Z","born":"2026-11-21","tags":["tags 1"],"author":{"id":1,"name":"name 1"},"pages":[]}
                        out: {"id":"1","fullTitle":"Emma","updatedAt":"2026-11-21T08:00:00Z","born":"2026-11-21","tags":["tags 1"],"authorId":"1","authorName":"name 1"}

                """
        )
    }

    @Test(arguments: [
        (
            #"[{"name": "page", "in": "query"}, {"name": "per_page", "in": "query", "schema": {"maximum": 50}}]"#,
            "{number: {param: page, from: 1, size: 50, size_param: per_page}}"
        ),
        (
            #"[{"name": "offset", "in": "query"}, {"name": "limit", "in": "query"}]"#,
            "{offset: {param: offset, size: 100, size_param: limit}}"
        ),
        ("[]", nil),
    ])
    func countedPagesAreRecognised(parameters: String, page: String?) throws {
        let schema = ##"{"type": "array", "items": {"$ref": "#/components/schemas/Book"}}"##
        let text = try streams(try draft(try description(parameters: parameters, schema: schema)))
        let line = text.split(separator: "\n").first { $0.contains("page:") }
        #expect(line.map(String.init) == page.map { "    page: \($0)" })
        #expect(text.contains("records: .\n"))
    }

    @Test func linksToTheNextPageAreRecognised() throws {
        let array = ##"{"type": "array", "items": {"$ref": "#/components/schemas/Base"}}"##
        let header = try draft(try description(schema: array, headers: #"{"Link": {}}"#))
        #expect(header.paging == .link)
        let member = #"{"type": "object", "properties": {"next": {"type": "string"}, "results": \#(array)}}"#
        #expect(try draft(try description(schema: member)).paging == .next(".next"))
    }

    @Test(arguments: [
        (#"{"a": {"type": "http", "scheme": "bearer"}}"#, #"{bearer: {token: "{{ config.token }}"}}"#),
        (
            #"{"a": {"type": "http", "scheme": "basic"}}"#,
            #"{basic: {username: "{{ config.username }}", password: "{{ config.password }}"}}"#
        ),
        (
            #"{"a": {"type": "apiKey", "in": "query", "name": "key"}}"#,
            #"{key: {in: query, name: key, value: "{{ config.api_key }}"}}"#
        ),
        (
            """
            {"a": {"type": "oauth2", "flows": {"authorizationCode": {"authorizationUrl": "https://shelf.example/auth",
             "tokenUrl": "https://shelf.example/token", "scopes": {"books:read": "", "books:write": ""}}}}}
            """,
            #"{oauth2: {authorize: {url: "https://shelf.example/auth"}, token: {url: "https://shelf.example/token"}, scopes: ["books:read"]}}"#
        ),
    ])
    func authorisationIsTakenOver(schemes: String, auth: String) throws {
        let draft = try draft(
            try description(schema: Self.books, security: #"[{"a": ["books:read"]}]"#, schemes: schemes)
        )
        #expect(draft.auth == auth)
        #expect(ManifestReader.read(path: "plug.yaml", text: Array(draft.manifest.utf8)).diagnostics == [])
    }

    @Test func partsOfAPathAreAskedFor() throws {
        let parameters = #"[{"name": "user-id", "in": "path", "required": true, "description": "Whose\nbooks"}]"#
        let draft = try draft(
            try description(parameters: parameters, schema: Self.books, path: "/users/{user-id}/savedBooks.json")
        )
        #expect(draft.path == "/users/{{ config.user_id }}/savedBooks.json" && draft.stream == "saved-books")
        #expect(draft.questions.map(\.key) == ["user_id"] && draft.questions.map(\.title) == ["Whose"])
    }

    @Test func whatIsNoDescriptionIsRefused() throws {
        let error = #expect(throws: PlugError.self) {
            try OpenAPIDescription(try JSONValue(parsing: #"{"kind": "discovery#restDescription"}"#))
        }
        #expect(error?.code == "openapi-unreadable")
        #expect(error?.message.hasSuffix("it says that it is 'discovery#restDescription'") == true)
        let answer = #expect(throws: PlugError.self) { try draft(try description(schema: #"{"type": "string"}"#)) }
        #expect(answer?.code == "openapi-answer")
        let operation = #expect(throws: PlugError.self) {
            try description(schema: Self.books).operation("lisst")
        }
        #expect(operation?.code == "openapi-operation" && operation?.advice == "did you mean 'list'?")
        #expect(operation?.message.hasSuffix("with GET:\n  list  /things") == true)
    }

    /// Alternatives and parts that contain themselves would multiply.
    @Test(.timeLimit(.minutes(60))) func schemasInsideThemselvesEnd() throws {
        let book = ##"{"$ref": "#/components/schemas/Book"}"##
        let properties = (0..<14).map { ##""p\##($0)": \##(book)"## }.joined(separator: ",")
        let text = #"{"type": "object", "properties": {"id": {"type": "string"}, \#(properties)}}"#
        let root = try JSONValue(
            parsing: """
                {"openapi": "3.1.0", "paths": {"/b": {"get": {"responses": {"200": {"content": {"application/json":
                 {"schema": \(book)}}}}}}}, "components": {"schemas": {"Book": \(text),
                 "Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}, {"$ref": "#/components/schemas/Loop"}]}}}}
                """
        )
        let description = try OpenAPIDescription(root)
        let draft = try OpenAPIPlug(description, try description.operation("/b"), id: "b").draft()
        #expect(draft.members.map(\.name) == ["id"] + (0..<14).map { "p\($0)Id" })
        #expect(draft.manifest.utf8.count < 10_000)
    }

    @Test func requiredHeadersAndNamesOfAnyKindAreWritten() throws {
        let parameters =
            #"[{"name": "X-Version", "in": "header", "required": true, "schema": {"default": "2022-06-28"}}]"#
        let schema =
            #"{"type": "object", "properties": {"id": {"type": "string"}, "日\n本": {"type": "string"}}}"#
        let draft = try draft(try description(parameters: parameters, schema: schema))
        #expect(draft.manifest.contains("request: {path: /things, headers: {X-Version: \"2022-06-28\"}}\n"))
        #expect(draft.manifest.contains("    # Not carried over: 日 本.\n"))
        #expect(ManifestReader.read(path: "plug.yaml", text: Array(draft.manifest.utf8)).diagnostics == [])
    }

    /// A schema that contains itself, and references that lead in a circle or nowhere, end somewhere.
    @Test func circlesEnd() throws {
        let circle = ##"{"$ref": "#/paths/~1things/get/responses/200/content/application~1json/schema"}"##
        #expect(throws: PlugError.self) { try draft(try description(schema: circle)) }
        #expect(throws: PlugError.self) { try draft(try description(schema: ##"{"$ref": "#/nowhere"}"##)) }
    }

    @Test func theTemplateIsAManifestWithoutFindings() {
        let text = PlugDraft.template(id: "books").manifest
        #expect(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).diagnostics == [])
    }
}
