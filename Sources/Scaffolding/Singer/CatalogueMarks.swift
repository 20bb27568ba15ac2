internal import LosslessJSON

/// Which fields an author has selected in a catalogue, carried over to a newer one of the same program.
enum CatalogueMarks {
    /// The newer catalogue with the marks of fields in the earlier one; those of the newer one itself take precedence. Marks of
    /// fields that it no longer has are dropped.
    static func carried(from earlier: JSONValue, to newer: JSONValue) -> JSONValue {
        guard var catalogue = newer.object, let streams = newer["streams"]?.elements else { return newer }
        let known = Dictionary(
            (earlier["streams"]?.elements ?? []).map { (name($0), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        catalogue["streams"] = .array(
            streams.map { stream in
                guard let before = known[name(stream)], var object = stream.object else { return stream }
                object["metadata"] = metadata(of: stream, before) ?? object["metadata"]
                object["schema"] = schema(of: stream, before) ?? object["schema"]
                return .object(object)
            }
        )
        return .object(catalogue)
    }

    private static func name(_ stream: JSONValue) -> String {
        (stream["tap_stream_id"] ?? stream["stream"])?.stringText ?? ""
    }

    /// The metadata with the marks that are in the earlier one: in the entries of their fields, or in new ones; `nil` if there
    /// are no marks.
    private static func metadata(of stream: JSONValue, _ before: JSONValue) -> JSONValue? {
        var marks: [(place: JSONValue, mark: JSONValue)] = []
        for entry in before["metadata"]?.elements ?? [] {
            guard let place = entry["breadcrumb"], place.elements?.isEmpty == false,
                let mark = entry["metadata"]?["selected"]
            else { continue }
            marks.append((place, mark))
        }
        if marks.isEmpty { return nil }
        var entries = stream["metadata"]?.elements ?? []
        for (place, mark) in marks {
            if let at = entries.firstIndex(where: { $0["breadcrumb"] == place }) {
                guard var entry = entries[at].object else { continue }
                entry["metadata"] = marked(entries[at]["metadata"] ?? .object(JSONObject()), mark)
                entries[at] = .object(entry)
            } else if has(stream["schema"], place.elements ?? []) {
                entries.append(.members(("breadcrumb", place), ("metadata", .members(("selected", mark)))))
            }
        }
        return .array(entries)
    }

    /// Whether a schema has what a path leads to.
    private static func has(_ schema: JSONValue?, _ path: [JSONValue]) -> Bool {
        path.reduce(schema) { value, step in step.stringText.flatMap { value?[$0] } } != nil
    }

    /// The schema with the marks that programs with `--properties` look for in it; `nil` if there are none.
    private static func schema(of stream: JSONValue, _ before: JSONValue) -> JSONValue? {
        guard var schema = stream["schema"]?.object, var fields = schema["properties"]?.object else { return nil }
        for field in before["schema"]?["properties"]?.object?.members ?? [] {
            if let mark = field.value["selected"], let now = fields[field.key] { fields[field.key] = marked(now, mark) }
        }
        schema["properties"] = .object(fields)
        return .object(schema)
    }

    private static func marked(_ field: JSONValue, _ mark: JSONValue) -> JSONValue {
        guard var object = field.object, object["selected"] == nil else { return field }
        object["selected"] = mark
        return .object(object)
    }
}
