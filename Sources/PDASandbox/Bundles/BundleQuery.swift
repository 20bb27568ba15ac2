internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// The query of a bundle, a condition or a combinator, read from JSON and written back in canonical form.
struct PropertyQuery: Sendable {
    var endpoints: [EndpointQuery]
    var orderBy: String?
    var ordering: String?
    var limit: Int?

    /// Only this word reverses the order.
    var isDescending: Bool { ordering == "descending" }

    init(endpoints: [EndpointQuery], orderBy: String? = nil, ordering: String? = nil, limit: Int? = nil) {
        (self.endpoints, self.orderBy, self.ordering, self.limit) = (endpoints, orderBy, ordering, limit)
    }

    init(_ reader: ShapeReader) throws {
        endpoints = try reader.member("endpoints").elements().map { try EndpointQuery($0) }
        orderBy = try reader.optional("orderBy")?.text()
        ordering = try reader.optional("ordering")?.text()
        limit = try reader.optional("limit")?.integer()
    }

    var json: JSONValue {
        var members: [JSONObject.Member] = [("endpoints", .array(endpoints.map(\.json)))]
        if let orderBy { members.append(("orderBy", .text(orderBy))) }
        if let ordering { members.append(("ordering", .text(ordering))) }
        if let limit { members.append(("limit", .integer(limit))) }
        return .object(JSONObject(members))
    }
}

/// Records of one endpoint: which of them, with which links, in which shape.
struct EndpointQuery: Sendable {
    var endpoint: String
    var mapping: JSONValue?
    var filters: [FieldFilter]?
    var links: [EndpointQuery]?

    init(endpoint: String) { self.endpoint = endpoint }

    init(_ reader: ShapeReader) throws {
        let endpoint = try reader.member("endpoint")
        self.endpoint = try endpoint.text()
        guard DataPath.isEndpoint(self.endpoint) else { throw endpoint.refusal("Endpoint invalid") }
        mapping = reader.optional("mapping")?.value
        filters = try reader.optional("filters")?.elements().map { try FieldFilter($0) }
        links = try reader.optional("links")?.elements().map { try EndpointQuery($0) }
    }

    var json: JSONValue {
        var members: [JSONObject.Member] = [("endpoint", .text(endpoint))]
        if let mapping { members.append(("mapping", mapping)) }
        if let filters { members.append(("filters", .array(filters.map(\.json)))) }
        if let links { members.append(("links", .array(links.map(\.json)))) }
        return .object(JSONObject(members))
    }

    /// The path into the raw data that an `orderBy` denotes here: a destination of the mapping stands for its source. Index
    /// syntax in such a source is not understood, so that every record sorts as one without a value.
    func orderPath(_ orderBy: String) -> [String] {
        let source = mapping?.object?[JSONString(orderBy)]?.stringText ?? orderBy
        return source.isEmpty ? [] : source.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}

/// Properties by name: what a data debit gives.
struct DataBundle: Sendable {
    typealias Property = (name: String, query: PropertyQuery)
    var name: String
    var properties: [Property]

    /// `{"name", "bundle": {PROPERTY: QUERY}}`
    init(_ reader: ShapeReader) throws {
        let name = try reader.member("name")
        self.name = try name.text()
        guard DebitName.accepts(self.name) else { throw name.refusal("Bundle name invalid") }
        properties = try Self.properties(reader.member("bundle"))
    }

    /// A stored bundle: its name, and its properties as a JSON text.
    init(name: String, stored: String) throws {
        self.name = name
        properties = try Self.properties(ShapeReader(JSONValue(parsing: stored, limits: .record)))
    }

    /// `{PROPERTY: QUERY}`
    static func properties(_ reader: ShapeReader) throws -> [Property] {
        try reader.members().map { ($0.name, try PropertyQuery($0.reader)) }
    }

    /// The form that is stored, and echoed as `bundle`.
    static func json(_ properties: [Property]) -> JSONValue {
        .object(JSONObject(properties.map { (JSONString($0.name), $0.query.json) }))
    }

    var json: JSONValue {
        .object(["name": .text(name), "bundle": Self.json(properties)])
    }
}
