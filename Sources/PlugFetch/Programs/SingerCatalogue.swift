internal import LosslessJSON

/// A Singer catalogue with a selection of streams.
enum SingerCatalogue {
    /// A catalogue in which some streams are selected and all others are not: by the older member beside the schema, and by the
    /// newer one in the metadata.
    static func selecting(_ streams: Set<String>, in catalogue: JSONValue) -> JSONValue {
        guard var object = catalogue.object, let elements = catalogue["streams"]?.elements else { return catalogue }
        object["streams"] = .array(
            elements.map { element in
                guard let stream = element.object else { return element }
                let names = ["tap_stream_id", "stream"].compactMap { element[$0]?.stringText }
                return .object(marked(stream, isSelected: names.contains(where: streams.contains)))
            }
        )
        return .object(object)
    }

    private static func marked(_ stream: JSONObject, isSelected: Bool) -> JSONObject {
        var stream = stream
        if var schema = stream["schema"]?.object {
            schema["selected"] = .bool(isSelected)
            stream["schema"] = .object(schema)
        }
        stream["selected"] = .bool(isSelected)
        var hasOwn = false
        var metadata = (stream["metadata"]?.elements ?? []).map { entry -> JSONValue in
            guard var object = entry.object, entry["breadcrumb"]?.elements?.isEmpty == true else { return entry }
            hasOwn = true
            var inner = entry["metadata"]?.object ?? JSONObject()
            inner["selected"] = .bool(isSelected)
            object["metadata"] = .object(inner)
            return .object(object)
        }
        if !hasOwn {
            metadata.append(
                .members(("breadcrumb", .array([])), ("metadata", .members(("selected", .bool(isSelected)))))
            )
        }
        stream["metadata"] = .array(metadata)
        return stream
    }
}
