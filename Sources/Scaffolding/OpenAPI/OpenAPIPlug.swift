import LosslessJSON
package import PlugCore

/// A plug that reads one operation of a description.
package struct OpenAPIPlug {
    private let description: OpenAPIDescription
    private let operation: OpenAPIDescription.Operation
    private let id: String

    /// - Parameter id: The plug's id.
    package init(_ description: OpenAPIDescription, _ operation: OpenAPIDescription.Operation, id: String) {
        (self.description, self.operation, self.id) = (description, operation, id)
    }

    /// Drafts the plug.
    ///
    /// - Throws: `PlugError` `openapi-answer` if the description does not describe the answer.
    package func draft() throws(PlugError) -> PlugDraft {
        let schema = answerSchema
        guard schema.type == "array" || schema.type == "object" else {
            throw unclear(schema, "which JSON \(subject) answers with")
        }
        let stream = Self.streamName(operation.path)
        let pages = OpenAPIPaging(description, operation, schema)
        let shape = RecordShape(description, schema, others: pages.others, hint: stream)
        let members = shape.members
        guard shape.hasKey else { throw unclear(schema, "which members the records of \(subject) have") }
        let security = OpenAPISecurity(description, operation)
        var questions = security.questions
        let path = Self.templates(operation.path, parameters("path"), &questions)
        let query = required("query", without: pages.parameters.union(security.parameters), &questions)
        // Headers for credentials and content types are not the plug's to set.
        let headers = required("header", without: security.headers, &questions).filter {
            !["accept", "authorization", "content-type"].contains($0.name.lowercased())
        }
        return PlugDraft(
            id: id,
            name: description.root["info"]?["title"]?.stringText ?? id,
            base: description.base(fallback: "api.\(id).example"),
            terms: address(description.root["info"]?["termsOfService"]) ?? "https://example.org/terms",
            questions: questions,
            auth: security.auth,
            keyParameter: security.parameters.first,
            stream: stream,
            path: path,
            query: query,
            headers: headers,
            records: shape.records,
            paging: shape.isSingle ? .none : pages.paging,
            key: shape.key,
            version: shape.version,
            members: members.taken,
            leftOut: members.leftOut,
            examples: shape.examples,
            answer: shape.answer
        )
    }

    private var subject: String { "GET \(DisplayText.escaped(operation.path))" }

    private func unclear(_ schema: JSONValue, _ what: String) -> PlugError {
        let isElsewhere = schema["$ref"] != nil
        return PlugError(
            .openAPIAnswer,
            "the description does not say \(what)" + (isElsewhere ? ": it refers to another file" : ""),
            advice: isElsewhere
                ? "join the files of the description first" : "choose another operation, or begin without --openapi"
        )
    }

    private var answerSchema: JSONValue {
        let responses = operation.node["responses"]
        let keys = ["200", "2XX", "2xx", "default"]
        let response = description.resolved(keys.lazy.compactMap { responses?[$0] }.first ?? .null)
        if description.isSwagger { return description.schema(response["schema"]) }
        let content = response["content"]?.object?.members ?? []
        let json = content.first { $0.key.text.contains("json") } ?? content.first
        return description.schema(json?.value["schema"])
    }

    private func address(_ value: JSONValue?) -> String? {
        value?.stringText.flatMap { $0.hasPrefix("https://") && !$0.contains(" ") ? $0 : nil }
    }

    private func parameters(_ place: String) -> [JSONValue] {
        operation.parameters.filter { $0["in"]?.stringText == place }
    }

    /// The last segment of a path that is not a parameter: `/users/{id}/saved-tracks.json` gives `saved-tracks`.
    static func streamName(_ path: String) -> String {
        let words = path.split(separator: "/").filter { !$0.contains("{") }
        let last = words.last.map { $0.prefix { $0 != "." } } ?? "records"
        var name = ""
        for scalar in last.unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": name.unicodeScalars.append(scalar)
            case "A"..."Z":
                if !name.isEmpty, !name.hasSuffix("-") { name += "-" }
                name += String(scalar).lowercased()
            default: if !name.isEmpty, !name.hasSuffix("-") { name += "-" }
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return name.isEmpty ? "records" : name
    }

    /// A path whose parameters become questions.
    private static func templates(
        _ path: String,
        _ parameters: [JSONValue],
        _ questions: inout [PlugDraft.Question]
    ) -> String {
        var path = path
        for parameter in parameters {
            guard let name = parameter["name"]?.stringText else { continue }
            let key = ask(parameter, name, &questions)
            path = path.replacing("{\(name)}", with: "{{ config.\(key) }}")
        }
        return path
    }

    /// The parameters that each request requires, besides those for pages and keys.
    private func required(
        _ place: String,
        without known: Set<String>,
        _ questions: inout [PlugDraft.Question]
    ) -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        for parameter in parameters(place) where parameter["required"]?.bool == true {
            guard let name = parameter["name"]?.stringText, !known.contains(name) else { continue }
            let schema = description.schema(parameter["schema"] ?? parameter)
            let constant = schema["default"] ?? schema["enum"]?.elements?.first
            if let constant {
                query.append((name, constant.stringText ?? constant.compactText))
            } else {
                query.append((name, "{{ config.\(Self.ask(parameter, name, &questions)) }}"))
            }
        }
        return query
    }

    /// Adds a question for a parameter.
    ///
    /// - Returns: The question's key.
    private static func ask(_ parameter: JSONValue, _ name: String, _ questions: inout [PlugDraft.Question]) -> String {
        let words = name.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
        var key = words.joined(separator: "_")
        if key.isEmpty || key.first?.isNumber == true { key = "value_\(key)" }
        if !questions.contains(where: { $0.key == key }) {
            let text = parameter["description"]?.stringText?.split { $0.isNewline }.first.map(String.init) ?? name
            questions.append(PlugDraft.Question(key: key, title: String(text.prefix(100))))
        }
        return key
    }
}
