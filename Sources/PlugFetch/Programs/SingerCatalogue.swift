internal import LosslessJSON

/// A Singer catalogue with a selection of streams and of their fields.
///
/// Programs read selections in three ways: the older ones look at members beside and inside the schema, the newer ones at the
/// metadata.
enum SingerCatalogue {
    /// Where fields are marked.
    enum Marks {
        /// In the metadata alone: the schema of a field is the program's.
        case inMetadata
        /// In the schema as well, for programs that take `--properties`.
        case inMetadataAndSchema
    }

    /// A catalogue in which some streams are selected and all others are not.
    ///
    /// Of a selected stream all fields are selected: many programs leave out those without a mark. Left as they are: fields with a
    /// mark, those that cannot be chosen, and those that the program itself leaves out (`selected-by-default: false`).
    static func selecting(_ streams: Set<String>, in catalogue: JSONValue, _ marks: Marks = .inMetadata) -> JSONValue {
        guard var object = catalogue.object, let elements = catalogue["streams"]?.elements else { return catalogue }
        object["streams"] = .array(
            elements.map { element in
                guard let stream = element.object else { return element }
                let names = ["tap_stream_id", "stream"].compactMap { element[$0]?.stringText }
                return .object(marked(stream, isSelected: names.contains(where: streams.contains), marks))
            }
        )
        return .object(object)
    }

    private static func marked(_ stream: JSONObject, isSelected: Bool, _ marks: Marks) -> JSONObject {
        var stream = stream
        let fields = isSelected ? stream["schema"]?["properties"]?.object ?? JSONObject() : JSONObject()
        if var schema = stream["schema"]?.object {
            schema["selected"] = .bool(isSelected)
            if isSelected, marks == .inMetadataAndSchema {
                schema["properties"] = .object(JSONObject(fields.members.map { ($0.key, chosen($0.value)) }))
            }
            stream["schema"] = .object(schema)
        }
        stream["selected"] = .bool(isSelected)
        var (hasOwn, described) = (false, Set<String>())
        var metadata = (stream["metadata"]?.elements ?? []).map { entry -> JSONValue in
            guard var object = entry.object, let place = entry["breadcrumb"]?.elements else { return entry }
            let inner = entry["metadata"] ?? .object(JSONObject())
            if place.isEmpty {
                hasOwn = true
                object["metadata"] = marking(inner, isSelected)
            } else {
                if place.count == 2, let name = place[1].stringText { described.insert(name) }
                if isSelected { object["metadata"] = chosen(inner) }
            }
            return .object(object)
        }
        if !hasOwn { metadata.append(entry([], isSelected)) }
        for field in fields.members where !described.contains(field.key.text) && mayBeChosen(field.value) {
            metadata.append(entry([.text("properties"), .string(field.key)], true))
        }
        stream["metadata"] = .array(metadata)
        return stream
    }

    /// What is said of a field, with the mark of a chosen one.
    private static func chosen(_ field: JSONValue) -> JSONValue { mayBeChosen(field) ? marking(field, true) : field }

    private static func mayBeChosen(_ field: JSONValue) -> Bool {
        guard field["selected"] == nil, field["selected-by-default"] != .bool(false) else { return false }
        return !["unsupported", "automatic"].contains(field["inclusion"]?.stringText)
    }

    private static func marking(_ value: JSONValue, _ isSelected: Bool) -> JSONValue {
        guard var object = value.object else { return value }
        object["selected"] = .bool(isSelected)
        return .object(object)
    }

    private static func entry(_ breadcrumb: [JSONValue], _ isSelected: Bool) -> JSONValue {
        .members(("breadcrumb", .array(breadcrumb)), ("metadata", .members(("selected", .bool(isSelected)))))
    }
}
