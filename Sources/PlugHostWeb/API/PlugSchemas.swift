internal import LosslessJSON
internal import PlugManifest

extension APISchemas {
    /// The schemas of a host: those in `value`, with the questions of the plugs that it serves.
    ///
    /// So generated clients know which answers each plug takes, instead of being refused when they send others.
    static func value(for plugs: [Manifest]) -> JSONValue {
        guard var schemas = value.object, !plugs.isEmpty else { return value }
        schemas["NewConnection"] = schemas["NewConnection"]?.setting(
            ["properties", "plug"],
            .members(("enum", ids(plugs)))
        )
        .setting(
            ["allOf"],
            .array(
                [.members(("$ref", .text("#/components/schemas/ScheduleChoice")))] + plugs.map(choice)
            )
        )
        let streams = Set(plugs.flatMap(delivered)).sorted().map { JSONValue.text($0) }
        schemas["WantedStreams"] = schemas["WantedStreams"]?.setting(["items"], .members(("enum", .array(streams))))
        return .object(schemas)
    }

    private static func ids(_ plugs: [Manifest]) -> JSONValue { .array(plugs.map { .text($0.id) }) }

    private static func delivered(_ plug: Manifest) -> [String] {
        plug.streams.filter { $0.path != nil }.map(\.name)
    }

    /// The configuration of one plug's connection.
    private static func choice(_ plug: Manifest) -> JSONValue {
        let streams = JSONValue.members(("items", .members(("enum", .array(delivered(plug).map { .text($0) })))))
        var then = JSONObject([("properties", .members(("config", answers(plug)), ("streams", streams)))])
        if plug.config.contains(where: \.isRequired) { then["required"] = .array([.text("config")]) }
        return .members(
            ("if", .members(("properties", .members(("plug", .members(("const", .text(plug.id)))))))),
            ("then", .object(then))
        )
    }

    /// The answers to a plug's questions.
    private static func answers(_ plug: Manifest) -> JSONValue {
        // Callers cannot name files on the host's disk.
        let asked = plug.config.filter { $0.type != .file }
        let needed = asked.filter(\.isRequired)
        var properties = JSONObject()
        for field in asked { properties[JSONString(field.name)] = schema(field) }
        return .members(
            ("type", needed.isEmpty ? .array([.text("object"), .text("null")]) : .text("object")),
            ("properties", .object(properties)),
            ("required", .array(needed.map { .text($0.name) })),
            ("additionalProperties", .bool(false))
        )
    }

    /// The values of a field: a text that represents a value is accepted, too, as in a form.
    private static func schema(_ field: ConfigField) -> JSONValue {
        var schema = JSONObject()
        if let title = field.title { schema["title"] = .text(title) }
        if field.isSecret { schema["writeOnly"] = .bool(true) }
        if let value = field.default { schema["default"] = value }
        if !field.choices.isEmpty, field.type != .list {
            schema["enum"] = .array(field.choices)
            return .object(schema)
        }
        let scalars = JSONValue.array([.text("string"), .text("number"), .text("boolean")])
        switch field.type {
        case .string, .file: schema["type"] = scalars
        case .integer:
            schema["type"] = .array([.text("integer"), .text("string")])
            schema["minimum"] = .number(JSONNumber(Int64.min))
            schema["maximum"] = .number(JSONNumber(Int64.max))
            schema["pattern"] = .text("^-?(0|[1-9][0-9]{0,17})$")
        case .number:
            schema["type"] = .array([.text("number"), .text("string")])
            schema["pattern"] = .text("^-?(0|[1-9][0-9]{0,99})([.][0-9]{1,99})?$")
        case .boolean:
            schema["type"] = .array([.text("boolean"), .text("string")])
            schema["pattern"] = .text("^(true|false)$")
        case .date:
            schema["type"] = .text("string")
            schema["format"] = .text("date")
            schema["pattern"] = .text("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
        case .host:
            schema["type"] = .text("string")
            schema["description"] = .text("A host such as api.example.org.")
            schema["pattern"] = .text("^(\(AddressPattern.host))(:\(AddressPattern.port))?$")
        case .list:
            schema["type"] = .array([.text("array"), .text("string")])
            schema["maxItems"] = .integer(ConfigField.listLimit)
            schema["items"] =
                field.choices.isEmpty ? .members(("type", scalars)) : .members(("enum", .array(field.choices)))
            // A text that begins with '[' is parsed as JSON.
            schema["pattern"] = .text("^[^ \\[]")
        }
        return .object(schema)
    }
}

extension JSONValue {
    /// The same with another value at a path, whose intermediate objects exist.
    fileprivate func setting(_ path: ArraySlice<JSONString>, _ value: JSONValue) -> JSONValue {
        guard let first = path.first, var object else { return value }
        object[first] = object[first]?.setting(path.dropFirst(), value) ?? value
        return .object(object)
    }

    fileprivate func setting(_ path: [JSONString], _ value: JSONValue) -> JSONValue { setting(path[...], value) }
}
