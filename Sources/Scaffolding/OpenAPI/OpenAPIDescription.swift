package import LosslessJSON
package import PlugCore

/// A service's description of its API, in OpenAPI 3 or Swagger 2.
package struct OpenAPIDescription: Sendable {
    /// The maximum depth of references: a schema may contain itself.
    static let depthLimit = 8
    /// The number of parts and alternatives of a schema that are examined.
    private static let partLimit = 12

    let root: JSONValue
    let isSwagger: Bool

    /// - Throws: `PlugError` `openapi-unreadable` if it is not a description in OpenAPI 3 or Swagger 2.
    package init(_ root: JSONValue) throws(PlugError) {
        self.root = root
        isSwagger = root["swagger"]?.stringText?.hasPrefix("2") ?? false
        let isOpenAPI = root["openapi"]?.stringText?.hasPrefix("3") ?? false
        guard isSwagger || isOpenAPI, root["paths"]?.object != nil else {
            let kind = root["kind"]?.stringText.map {
                "; it says that it is '\(DisplayText.escaped(String($0.prefix(60))))'"
            }
            throw PlugError(
                .openAPIUnreadable,
                "this is not a description in OpenAPI 3 or Swagger 2\(kind ?? "")",
                advice: "it needs 'openapi: 3.…' or 'swagger: \"2.0\"', and 'paths'"
            )
        }
    }

    /// An operation that reads data.
    package struct Operation: Sendable {
        /// Its `operationId`, or `GET /path`.
        package var id: String
        /// The path with its parameters in braces.
        package var path: String
        /// A one-line summary.
        package var summary: String
        var node: JSONValue
        /// The parameters, those of the path first.
        var parameters: [JSONValue]
    }

    /// All GET operations, in the order of the description.
    package var operations: [Operation] {
        (root["paths"]?.object?.members ?? []).compactMap { path, item in
            let item = resolved(item)
            guard let node = item["get"] else { return nil }
            let shared = item["parameters"]?.elements ?? []
            let own = (node["parameters"]?.elements ?? []).map(resolved)
            let names = Set(own.compactMap { $0["name"]?.stringText })
            return Operation(
                id: node["operationId"]?.stringText ?? "GET \(path.text)",
                path: path.text,
                summary: node["summary"]?.stringText ?? "",
                node: node,
                parameters: shared.map(resolved).filter { !names.contains($0["name"]?.stringText ?? "") } + own
            )
        }
    }

    /// The operation with an id, or `GET /path`.
    ///
    /// - Throws: `PlugError` `openapi-operation` that lists the available ones.
    package func operation(_ id: String?) throws(PlugError) -> Operation {
        let operations = operations
        if let id, let found = operations.first(where: { $0.id == id || "GET \($0.path)" == id || $0.path == id }) {
            return found
        }
        let shown = operations.prefix(20).map { "  \(DisplayText.escaped($0.id))  \(DisplayText.escaped($0.path))" }
        let more = operations.count > shown.count ? "\n  … and \(operations.count - shown.count) more" : ""
        let nearest = id.flatMap { Spelling.question($0, in: operations.map(\.id)) }
        throw PlugError(
            .openAPIOperation,
            (id.map { "the description has no operation '\(DisplayText.escaped($0))' with GET" }
                ?? "the description has \(operations.count) operations with GET: choose one") + ":\n"
                + shown.joined(separator: "\n") + more,
            advice: nearest ?? "name it with --operation"
        )
    }

    /// The target of a reference, if it is in this description.
    func resolved(_ node: JSONValue) -> JSONValue {
        var node = node
        for _ in 0..<Self.depthLimit {
            // A reference to another file is kept.
            guard let reference = node["$ref"]?.stringText, reference.hasPrefix("#/") else { return node }
            var target: JSONValue? = root
            for step in reference.dropFirst(2).split(separator: "/") {
                let name = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
                target = target?[name]
            }
            guard let target else { return .null }
            node = target
        }
        return .null
    }

    /// A schema with its references resolved and its `allOf` merged; of alternatives the first that says something.
    ///
    /// - Parameter seen: The references followed so far: a schema inside itself adds nothing, and would multiply.
    func schema(_ node: JSONValue?, within seen: Set<String> = []) -> JSONValue {
        guard let node, seen.count < Self.depthLimit else { return .null }
        var seen = seen
        if let reference = node["$ref"]?.stringText, !seen.insert(reference).inserted { return .null }
        let schema = resolved(node)
        if let parts = schema["allOf"]?.elements {
            var properties = JSONObject()
            var joined = schema.object ?? JSONObject()
            for part in parts.prefix(Self.partLimit).map({ self.schema($0, within: seen) }) {
                for (name, value) in part["properties"]?.object?.members ?? [] { properties[name] = value }
                for (key, value) in part.object?.members ?? [] where joined[key] == nil { joined[key] = value }
            }
            for (name, value) in schema["properties"]?.object?.members ?? [] { properties[name] = value }
            if properties.count > 0 { joined["properties"] = .object(properties) }
            joined["allOf"] = nil
            return .object(joined)
        }
        for key in ["oneOf", "anyOf"] {
            let parts = (schema[key]?.elements ?? []).prefix(Self.partLimit).lazy.map { self.schema($0, within: seen) }
            if let first = parts.first(where: { $0.type != "null" && $0 != .null }) { return first }
        }
        return schema
    }

    /// The address that paths are resolved against.
    ///
    /// - Parameter fallback: Used if the description omits the host.
    func base(fallback: String) -> String {
        if isSwagger {
            let host = root["host"]?.stringText ?? fallback
            let schemes = (root["schemes"]?.elements ?? []).compactMap(\.stringText)
            let scheme = schemes.isEmpty || schemes.contains("https") ? "https" : schemes[0]
            return Self.trimmed("\(scheme)://\(host)\(root["basePath"]?.stringText ?? "")")
        }
        let server = root["servers"]?.elements?.first
        var url = server?["url"]?.stringText ?? "/"
        for (name, variable) in server?["variables"]?.object?.members ?? [] {
            url = url.replacing("{\(name.text)}", with: variable["default"]?.stringText ?? "example")
        }
        return Self.trimmed(url.contains("://") ? url : "https://\(fallback)\(url.hasPrefix("/") ? url : "/\(url)")")
    }

    private static func trimmed(_ url: String) -> String {
        var url = Substring(url)
        while url.hasSuffix("/") { url.removeLast() }
        return String(url)
    }
}

extension JSONValue {
    /// The type in a schema: of several the first that is not null.
    var type: String? {
        if let text = self["type"]?.stringText { return text }
        if let several = self["type"]?.elements { return several.compactMap(\.stringText).first { $0 != "null" } }
        if self["properties"] != nil { return "object" }
        return self["items"] == nil ? nil : "array"
    }
}
