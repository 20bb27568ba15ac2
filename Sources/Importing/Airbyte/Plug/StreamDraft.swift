/// A stream of a plug under construction.
struct StreamDraft {
    /// Its name in the imported manifest.
    var source: String
    /// Its name in the plug.
    var name: String
    var line: Int
    /// Keys of the stream, without `endpoint` and `auth`.
    var entries: [PlugYAML.Entry] = []
    /// How its requests authenticate.
    var auth = AuthDraft.none
    /// The address that its path is resolved against, with templates.
    var base = ""
    /// The addresses that the base is chosen from, if a condition on settings chooses.
    var addresses: [String] = []
    /// Its path below the base.
    var path = ""
    /// The streams that it is read for.
    var parents: [String] = []
    /// What is not carried over.
    var findings: [ImportFinding] = []
    /// The number of tries for a request in Airbyte.
    var tries: Int?
    /// The program that produces a member of the delivered record, if a transformation sets it.
    var remakes: (_ member: String) -> String? = { _ in nil }
    /// The program that produces the delivered records, if it drops any.
    var dropping: String?
    /// Whether it has bounds of its own.
    var hasSince = false
    /// Whether the stream is left out of the plug.
    var isLeftOut: Bool { findings.contains { $0.leavesOut } }

    subscript(key: String) -> PlugYAML? {
        get { entries.first { $0.key == key }?.value }
        set {
            if let at = entries.firstIndex(where: { $0.key == key }) {
                if let newValue { entries[at].value = newValue } else { entries.remove(at: at) }
            } else if let newValue {
                entries.append(PlugYAML.Entry(key: key, value: newValue))
            }
        }
    }
}

/// How requests authenticate.
struct AuthDraft: Equatable, Sendable {
    /// The value of `auth:`.
    var value: PlugYAML
    /// Whether a single stream may have it.
    var fitsStream = true
    /// Whether its credentials are a form field.
    var sendsForm = false
    /// The addresses that its login is chosen from, if a condition on settings chooses.
    var addresses: [String] = []

    static let none = AuthDraft(value: .text("none"))
}

/// The parts of a request under construction.
struct RequestDraft {
    var method = "GET"
    var query: [PlugYAML.Entry] = []
    var headers: [PlugYAML.Entry] = []
    var json: PlugYAML?
    var form: [PlugYAML.Entry]?
    var text: PlugYAML?
    var graphql: PlugYAML?

    /// Puts a value at the place of a request option.
    mutating func put(_ value: PlugYAML, at place: OptionPlace) throws(Unsayable) {
        switch place.place {
        case "query": Self.set(&query, place.name, value)
        case "header": Self.set(&headers, place.name, value)
        case "form":
            var fields = form ?? []
            Self.set(&fields, place.name, value)
            form = fields
        default:
            json = Self.put(value, at: place.name.split(separator: ".").map(String.init)[...], in: json ?? .mapping([]))
        }
    }

    private static func set(_ entries: inout [PlugYAML.Entry], _ name: String, _ value: PlugYAML) {
        if let at = entries.firstIndex(where: { $0.key == name }) {
            entries[at].value = value
        } else {
            entries.append(PlugYAML.Entry(key: name, value: value))
        }
    }

    private static func put(_ value: PlugYAML, at path: ArraySlice<String>, in body: PlugYAML) -> PlugYAML {
        guard let first = path.first, case .mapping(var entries) = body else { return value }
        let inner = entries.first { $0.key == first }?.value ?? .mapping([])
        set(&entries, first, put(value, at: path.dropFirst(), in: inner))
        return .mapping(entries)
    }

    /// The value of `request`.
    func written(path: String) -> PlugYAML {
        let hasBody = json != nil || form != nil || text != nil
        return PlugYAML.members(
            ("method", graphql != nil || (method == "GET" && !hasBody) ? nil : .text(method)),
            ("path", .text(path)),
            ("query", PlugYAML.mapping(query).unlessEmpty),
            ("headers", PlugYAML.mapping(headers).unlessEmpty),
            ("json", json),
            ("form", form.map(PlugYAML.mapping)),
            ("text", text),
            ("graphql", hasBody ? nil : graphql)
        )
    }
}

/// The place of a request option.
struct OptionPlace: Equatable {
    /// `query`, `header`, `json` or `form`.
    var place: String
    /// Its name; in JSON a path with dots.
    var name: String

    /// - Throws: `Unsayable` for a place that does not exist here.
    init(_ option: Component, _ scope: JinjaScope) throws(Unsayable) {
        let place = (try option.member("inject_into"))?.text ?? ""
        var name = (try option.member("field_name"))?.text ?? ""
        if let steps = try option.member("field_path")?.elements {
            name = steps.compactMap(\.text).joined(separator: ".")
        }
        // Airbyte gives an option none of the parameters of the components around it.
        var scope = scope
        scope.parameters = [:]
        let template = try JinjaTemplate(name, scope)
        var constant = template.constant
        if constant == nil, let only = template.only { constant = try template.constant(of: only) }
        guard let constant else {
            throw Unsayable("the name of a parameter that depends on something has no counterpart", line: option.line)
        }
        self.name = constant
        switch place {
        case "request_parameter": self.place = "query"
        case "header": self.place = "header"
        case "body_json": self.place = "json"
        case "body_data": self.place = "form"
        default: throw Unsayable("'inject_into: \(place)' has no counterpart", line: option.line)
        }
        guard !self.name.isEmpty else { throw Unsayable("a parameter has no name", line: option.line) }
    }
}
