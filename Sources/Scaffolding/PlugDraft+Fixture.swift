package import LosslessJSON
internal import PlugCore

extension PlugDraft {
    /// The first fixture: the service's answers, as far as its description gives them.
    package var fixture: JSONValue {
        var exchanges = [exchange(counted ?? [], body(examples))]
        // Numbered pages end with an empty one.
        if let following { exchanges.append(exchange(following, body([]))) }
        let config = JSONObject(questions.map { (JSONString($0.key), $0.answer) })
        var members: [JSONObject.Member] = []
        if !questions.isEmpty { members.append(("config", .object(config))) }
        members.append(("exchanges", .array(exchanges)))
        return .object(JSONObject(members))
    }

    private func exchange(_ parameters: [(name: String, value: String)], _ body: JSONValue) -> JSONValue {
        let address = base + rendered(path)
        let key = keyParameter.flatMap { name in
            questions.last { $0.isSecret }.map { (name, $0.answer.stringText ?? "") }
        }
        let pairs =
            (query.map { ($0.name, rendered($0.value)) } + parameters.map { ($0.name, $0.value) }
            + [key].compactMap(\.self))
            .map { "\(PercentEncoding.segment($0.0))=\(PercentEncoding.segment($0.1))" }
        let url = address + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        return .members(
            ("request", .members(("method", .text("GET")), ("url", .text(url)))),
            (
                "response",
                .members(
                    ("status", .integer(200)),
                    ("headers", .members(("Content-Type", .text("application/json")))),
                    ("body", body)
                )
            )
        )
    }

    /// A template filled in with the fixture's config values.
    private func rendered(_ template: String) -> String {
        questions.reduce(template) { text, question in
            text.replacing(
                "{{ config.\(question.key) }}",
                with: question.answer.stringText ?? question.answer.compactText
            )
        }
    }

    private func body(_ records: [JSONValue]) -> JSONValue {
        switch answer {
        case .list: .array(records)
        case .single(let path):
            Self.with(records.first ?? .object(JSONObject()), at: path[...], in: .object(JSONObject()))
        case .object(let path, let others): Self.with(.array(records), at: path[...], in: others)
        }
    }

    private static func with(_ value: JSONValue, at path: ArraySlice<String>, in outer: JSONValue) -> JSONValue {
        guard let name = path.first else { return value }
        var object = outer.object ?? JSONObject()
        let inner = object[JSONString(name)] ?? .object(JSONObject())
        object[JSONString(name)] = with(value, at: path.dropFirst(), in: inner)
        return .object(object)
    }

    /// The parameters of the first page, if pages are counted.
    private var counted: [(name: String, value: String)]? {
        switch paging {
        case .number(let parameter, let sizeParameter, let size):
            [(parameter, "1")] + (sizeParameter.map { [($0, "\(size)")] } ?? [])
        case .offset(let parameter, let sizeParameter, let size):
            [(parameter, "0")] + (sizeParameter.map { [($0, "\(size)")] } ?? [])
        default: nil
        }
    }

    private var following: [(name: String, value: String)]? {
        switch paging {
        case .number(let parameter, let sizeParameter, let size):
            [(parameter, "2")] + (sizeParameter.map { [($0, "\(size)")] } ?? [])
        case .offset(let parameter, let sizeParameter, let size):
            [(parameter, "\(examples.count)")] + (sizeParameter.map { [($0, "\(size)")] } ?? [])
        default: nil
        }
    }
}
