package import LosslessJSON

/// The OpenAPI 3.1 description of the API, generated from the route table.
package struct OpenAPIDescription: Sendable {
    /// The document.
    package let value: JSONValue

    /// Describes routes; those without an operation are not part of the API.
    ///
    /// - Parameter schemas: The schemas of bodies, by name.
    package init(_ routes: [HostRoute], schemas: JSONValue = APISchemas.value) {
        var paths = JSONObject()
        for route in routes {
            guard let operation = route.operation else { continue }
            let path = JSONString(route.path.description)
            var item = paths[path]?.object ?? JSONObject()
            item[JSONString(route.method.rawValue.lowercased())] = Self.value(operation, route)
            paths[path] = .object(item)
        }
        let key = JSONValue.members(
            ("type", .text("http")),
            ("scheme", .text("bearer")),
            (
                "description",
                .text("A key of 'plughost apikey add'. Each operation names the scope that the key needs (x-scopes).")
            )
        )
        value = .members(
            ("openapi", .text("3.1.0")),
            (
                "info",
                .members(
                    ("title", .text("plughost")),
                    ("version", .text("1")),
                    ("description", .text("Connections of this host: make them, change them, see their state."))
                )
            ),
            ("paths", .object(paths)),
            (
                "components",
                .members(
                    ("schemas", schemas),
                    ("securitySchemes", .members(("key", key)))
                )
            )
        )
    }

    private static func value(_ operation: APIOperation, _ route: HostRoute) -> JSONValue {
        var value = JSONObject([
            ("operationId", .text(operation.id)), ("summary", .text(operation.summary)),
            ("security", .array([.members(("key", .array([])))])),
            ("x-scopes", .array(scopes(route).map { .text($0) })),
        ])
        let inPath = route.path.parameters.map { name in
            JSONValue.members(
                ("name", .text(name)),
                ("in", .text("path")),
                ("required", .bool(true)),
                ("schema", .members(("type", .text("string"))))
            )
        }
        let inQuery = operation.query.map { parameter in
            JSONValue.members(
                ("name", .text(parameter.name)),
                ("in", .text("query")),
                ("description", .text(parameter.summary)),
                ("schema", parameter.schema)
            )
        }
        if !(inPath + inQuery).isEmpty { value["parameters"] = .array(inPath + inQuery) }
        if let body = operation.body {
            value["requestBody"] = .members(("required", .bool(true)), ("content", content("application/json", body)))
        }
        var responses = JSONObject()
        for answer in operation.answers {
            var response = JSONObject([("description", .text(answer.summary))])
            if let schema = answer.schema { response["content"] = content("application/json", schema) }
            responses[JSONString("\(answer.status)")] = .object(response)
        }
        let ofBody = route.body == .json ? [400, 408, 413, 415] : []
        for status in Set(operation.errors + [401, 403, 429] + ofBody).sorted() {
            responses[JSONString("\(status)")] = problem(HostRefusal.title(status) + ".", headers: headers(status))
        }
        responses["default"] = problem("Another error.")
        value["responses"] = .object(responses)
        return .object(value)
    }

    private static func scopes(_ route: HostRoute) -> [String] {
        route.access.roles.compactMap { if case .key(let scope) = $0 { scope.rawValue } else { nil } }.sorted()
    }

    private static func content(_ type: String, _ schema: String) -> JSONValue {
        let reference = JSONValue.members(("$ref", .text("#/components/schemas/\(schema)")))
        return .members((type, .members(("schema", reference))))
    }

    private static func problem(_ summary: String, headers: JSONValue? = nil) -> JSONValue {
        var problem = JSONObject([("description", .text(summary))])
        if let headers { problem["headers"] = headers }
        problem["content"] = content("application/problem+json", "Problem")
        return .object(problem)
    }

    /// The headers specific to a status; `nil` if there are none.
    private static func headers(_ status: Int) -> JSONValue? {
        func header(_ name: JSONString, _ summary: String, _ schema: JSONValue) -> JSONValue {
            let value = JSONValue.members(("description", .text(summary)), ("schema", schema))
            return .object(JSONObject([(name, value)]))
        }
        switch status {
        case 401:
            return header("WWW-Authenticate", "How to authenticate.", .members(("type", .text("string"))))
        case 429:
            let seconds = JSONValue.members(("type", .text("integer")), ("minimum", .integer(1)))
            return header("Retry-After", "In how many seconds wrong keys are checked again.", seconds)
        default: return nil
        }
    }
}
