import LosslessJSON
import PlugCore

/// How an operation is paged, as far as its parameters and its answer's schema show it.
struct OpenAPIPaging {
    private static let sizes = [
        "per_page", "page_size", "pagesize", "perpage", "limit", "count", "size", "maxresults", "max_results", "first",
    ]
    private static let numbers = ["page", "page_number", "pagenumber"]
    private static let offsets = ["offset", "skip", "start", "startindex", "start_index"]
    private static let cursors = [
        "cursor", "page_token", "pagetoken", "next_token", "nexttoken", "pagination_token", "continuation", "after",
        "starting_after", "start_cursor", "startcursor", "next_cursor", "nextcursor", "page_cursor",
    ]
    private static let tokens = [
        "next_cursor", "nextcursor", "next_page_token", "nextpagetoken", "next_token", "nexttoken", "cursor", "after",
        "continuation",
    ]
    private static let links = ["next", "next_url", "nexturl", "next_page_url", "nextpageurl", "next_page", "nextlink"]

    let paging: PlugDraft.Paging
    /// The query parameters that it uses.
    let parameters: Set<String>
    /// The last answer's members besides its records.
    let others: JSONValue

    init(_ description: OpenAPIDescription, _ operation: OpenAPIDescription.Operation, _ schema: JSONValue) {
        let query = operation.parameters.filter { $0["in"]?.stringText == "query" }
        func parameter(_ words: [String]) -> JSONValue? {
            words.lazy.compactMap { word in query.first { $0["name"]?.stringText?.lowercased() == word } }.first
        }
        func name(_ parameter: JSONValue?) -> String? { parameter?["name"]?.stringText }
        let size = parameter(Self.sizes)
        let sizeName = name(size)
        let count = Self.size(description.schema(size?["schema"] ?? size))
        let token = Self.member(Self.tokens, description, schema)
        let link = Self.member(Self.links, description, schema)
        if let cursor = name(parameter(Self.cursors)), let token {
            paging = .cursor(from: PathNotation.path(token), parameter: cursor)
            (parameters, others) = ([cursor], Self.object(token))
        } else if let link {
            (paging, parameters, others) = (.next(PathNotation.path(link)), [], Self.object(link))
        } else if Self.hasLinkHeader(description, operation) {
            (paging, parameters, others) = (.link, [], .object(JSONObject()))
        } else if let number = name(parameter(Self.numbers)) {
            paging = .number(parameter: number, sizeParameter: sizeName, size: count)
            (parameters, others) = (Set([number, sizeName].compactMap(\.self)), .object(JSONObject()))
        } else if let offset = name(parameter(Self.offsets)) {
            paging = .offset(parameter: offset, sizeParameter: sizeName, size: count)
            (parameters, others) = (Set([offset, sizeName].compactMap(\.self)), .object(JSONObject()))
        } else {
            (paging, parameters, others) = (.none, [], .object(JSONObject()))
        }
    }

    /// A hundred per page, or the largest permitted number.
    private static func size(_ schema: JSONValue) -> Int {
        let most = (schema["maximum"]?.number?.int64).map { Int($0) } ?? 100
        return max(1, min(most, 100))
    }

    /// The member's value on the last page.
    private static func object(_ path: [String]) -> JSONValue {
        path.reversed().reduce(.null) { inner, name in .object(JSONObject([(JSONString(name), inner)])) }
    }

    private static func hasLinkHeader(_ description: OpenAPIDescription, _ operation: OpenAPIDescription.Operation)
        -> Bool
    {
        let response = description.resolved(operation.node["responses"]?["200"] ?? .null)
        return (response["headers"]?.object?.members ?? []).contains { $0.key.text.lowercased() == "link" }
    }

    /// The first member with one of these names, in the answer or in an object inside it.
    private static func member(
        _ words: [String],
        _ description: OpenAPIDescription,
        _ schema: JSONValue,
        depth: Int = 0
    ) -> [String]? {
        let properties = (schema["properties"]?.object?.members ?? []).map {
            ($0.key.text, description.schema($0.value))
        }
        for word in words {
            let found = properties.first {
                $0.0.lowercased() == word && ["string", "integer", nil].contains($0.1.type)
            }
            if let found { return [found.0] }
        }
        guard depth < 2 else { return nil }
        for (name, inner) in properties where inner.type == "object" {
            if let path = member(words, description, inner, depth: depth + 1) { return [name] + path }
        }
        return nil
    }
}
