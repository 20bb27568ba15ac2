internal import LosslessJSON

/// What an author has selected in a catalogue, carried over to a newer one of the same program.
enum CatalogueMarks {
    /// The newer catalogue with the marks of fields in the earlier one; those of the newer one itself take precedence.
    static func carried(from earlier: JSONValue, to newer: JSONValue) -> JSONValue {
        guard var catalogue = newer.object, let streams = newer["streams"]?.elements else { return newer }
        let known = Dictionary(
            (earlier["streams"]?.elements ?? []).map { (name($0), marks(of: $0)) },
            uniquingKeysWith: { first, _ in first }
        )
        catalogue["streams"] = .array(streams.map { marked($0, known[name($0)] ?? [:]) })
        return .object(catalogue)
    }

    private static func name(_ stream: JSONValue) -> String {
        (stream["tap_stream_id"] ?? stream["stream"])?.stringText ?? ""
    }

    /// By the path of a field as JSON: whether it is selected.
    private static func marks(of stream: JSONValue) -> [String: JSONValue] {
        var marks: [String: JSONValue] = [:]
        for entry in stream["metadata"]?.elements ?? [] {
            guard let place = entry["breadcrumb"], place.elements?.isEmpty == false,
                let mark = entry["metadata"]?["selected"]
            else { continue }
            marks[place.compactText] = mark
        }
        return marks
    }

    private static func marked(_ stream: JSONValue, _ marks: [String: JSONValue]) -> JSONValue {
        guard !marks.isEmpty, var object = stream.object, let metadata = stream["metadata"]?.elements else {
            return stream
        }
        object["metadata"] = .array(
            metadata.map { entry in
                guard var changed = entry.object, let place = entry["breadcrumb"],
                    let mark = marks[place.compactText], var inner = entry["metadata"]?.object,
                    inner["selected"] == nil
                else { return entry }
                inner["selected"] = mark
                changed["metadata"] = .object(inner)
                return .object(changed)
            }
        )
        return .object(object)
    }
}
