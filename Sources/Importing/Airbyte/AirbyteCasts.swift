import PlugManifest

/// The casts in a schema, as a program over records.
///
/// Airbyte casts only unambiguous types: members with a single type, and elements of lists. Values that cannot be cast are kept.
struct AirbyteCasts {
    private static let depthLimit = 12

    /// The program; `nil` if the schema casts nothing.
    static func program(_ loader: Component?) throws(Unsayable) -> String? {
        guard let loader, loader.type == "InlineSchemaLoader", let schema = try loader.member("schema") else {
            throw Unsayable("'schema_normalization' with a schema outside the manifest has no counterpart")
        }
        guard let tree = try tree(schema, isRoot: true, depth: 0) else { return nil }
        return "(\(cast); cast(\(tree)))"
    }

    /// The program for a single member; `nil` if it is not changed, or is not a simple value.
    static func program(_ loader: Component?, for keys: [String]) throws(Unsayable) -> String? {
        var schema = try loader?.member("schema")
        for key in keys {
            guard schema?.node["$ref"] == nil else { return nil }
            schema = try schema?.own("properties")?.own(key)
        }
        guard let schema, schema.node["$ref"] == nil else { return nil }
        var types = types(of: schema)
        let isNullable = types.contains("null")
        types.removeAll { $0 == "null" }
        guard types.count == 1, let way = ways.first(where: { $0.type == types[0] }) else { return nil }
        return isNullable ? "(if . == null then . else \(way.program) end)" : "(\(way.program))"
    }

    /// Programs that cast a value to a type.
    private static let ways = [
        (
            type: "string",
            program: """
            if type == "string" then . elif type == "boolean" then (if . then "True" else "False" end) \
            elif . == null then "None" elif type == "number" then tostring else tojson end
            """
        ),
        (
            type: "number",
            program:
                #"if type == "string" then (tonumber? // .) elif type == "boolean" then (if . then 1 else 0 end) else . end"#
        ),
        (
            type: "integer",
            program: #"""
            if type == "string" then (if test("^\\s*[+-]?[0-9]+\\s*$") then (tonumber? // .) else . end) \#
            elif type == "number" then trunc elif type == "boolean" then (if . then 1 else 0 end) else . end
            """#
        ),
        (
            type: "boolean",
            program: """
            if type == "string" then (ascii_downcase | if IN("y", "yes", "t", "true", "on", "1") then true \
            elif IN("n", "no", "f", "false", "off", "0") then false else . end) else (IN(null, false, 0, [], {}) | not) end
            """
        ),
    ]

    private static let cast: String = {
        let typed = ways.map { "\($0.type == "string" ? "" : "elif ")$s.type == \"\($0.type)\" then (\($0.program)) " }
        return """
            def cast($s): (if . == null and $s.null then . elif \(typed.joined())\
            elif $s.list and (type | IN("string", "number", "boolean")) then [.] else . end) \
            | if $s.of and type == "object" then with_entries(.key as $k | if ($s.of | has($k)) then .value |= cast($s.of[$k]) else . end) \
            elif $s.each and type == "array" then map(cast($s.each)) else . end
            """
    }()

    private static func types(of schema: Component) -> [String] {
        if let text = schema.node["type"]?.scalar?.text { return [text] }
        return schema.node["type"]?.sequence?.compactMap { $0.scalar?.text } ?? []
    }

    /// The casts at a place, as a jq object; `nil` for none.
    private static func tree(_ schema: Component, isRoot: Bool, depth: Int) throws(Unsayable) -> String? {
        guard depth < depthLimit else { return nil }
        if schema.node["$ref"] != nil { return nil }
        var types = types(of: schema)
        let isNullable = types.contains("null")
        types.removeAll { $0 == "null" }
        var members: [String] = []
        if !isRoot, types.count == 1, ["string", "number", "integer", "boolean"].contains(types[0]) {
            members.append("type: \(JQText.string(types[0]))")
        }
        var inner: [String] = []
        for (name, property) in try schema.own("properties")?.members ?? [] {
            if let tree = try tree(property, isRoot: false, depth: depth + 1) {
                inner.append("\(JQText.string(name)): \(tree)")
            }
        }
        if !inner.isEmpty { members.append("of: {\(inner.joined(separator: ", "))}") }
        let items = try schema.own("items")
        if let items, items.node.mapping != nil, let tree = try tree(items, isRoot: false, depth: depth + 1) {
            members.append("each: \(tree)")
        }
        // Airbyte wraps a value in a list if the types of the elements are a list of simple ones, or missing.
        if !isRoot, types == ["array"], items?.node["type"]?.scalar == nil {
            let simple: Set<String> = ["string", "number", "integer", "boolean", "null"]
            let own = items?.node["type"]?.sequence?.compactMap { $0.scalar?.text } ?? []
            if Set(own).isSubset(of: simple) { members.append("list: true") }
        }
        if members.isEmpty { return nil }
        if isNullable { members.append("null: true") }
        return "{\(members.joined(separator: ", "))}"
    }
}
