import CurlTransport
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// An answer made from a manifest alone: from the records in its `tests:`, or from the members that its programs read.
struct SynthesisedAnswer {
    private let stream: PlugManifest.Stream

    init(_ stream: PlugManifest.Stream) { self.stream = stream }

    /// The material for a plug without fixtures.
    static func material(_ manifest: Manifest) -> Material {
        var config = JSONObject()
        let starts = starts(manifest)
        for field in manifest.config {
            let isStart = field.type == .string && field.choices.isEmpty && starts.contains(field.name)
            config[JSONString(field.name)] = field.default ?? (isStart ? value(of: .date) : value(of: field))
        }
        let cassette = Cassette(
            path: manifest.source.path,
            config: config,
            now: Cassette.defaultNow,
            exchanges: []
        )
        return Material(cassette: cassette, config: config)
    }

    /// The words in the bounds that are times: a setting among them is a time, though its type may be text.
    private static func starts(_ manifest: Manifest) -> Set<String> {
        let timed = manifest.streams.compactMap(\.since).filter { $0.type.isTime }
        return Set(
            timed.flatMap { [$0.from, $0.to] }.compactMap { $0?.source }.flatMap { ProgramWords.of($0, limit: 100) }
        )
    }

    private static func value(of field: ConfigField) -> JSONValue {
        if let choice = field.choices.first { return field.type == .list ? .array([choice]) : choice }
        return field.type == .string ? .text("example-\(field.name)") : value(of: field.type)
    }

    private static func value(of type: ConfigField.Kind) -> JSONValue {
        switch type {
        case .string: return .text("example")
        case .integer, .number: return .integer(1)
        case .boolean: return .bool(true)
        case .date: return .text("2025-01-01")
        case .host: return .text("service.example.org")
        case .list: return .array([.text("example")])
        case .file: return .text("export.zip")
        }
    }

    /// Answers that may contain records, the likeliest first.
    func bodies() -> [JSONValue] {
        let records = stream.tests.isEmpty ? MadeValueRule.all.map { record($0) } : [.null]
        return records.flatMap { made -> [JSONValue] in
            let elements = stream.tests.isEmpty ? [made] : stream.tests.map(\.input)
            let list = JSONValue.array(elements)
            var bodies: [JSONValue] = []
            for place in ControlSearch.named(in: stream.records.source).prefix(6) {
                guard case .body(let place) = place else { continue }
                bodies.append(JSONValue.members().setting(place, to: list))
            }
            bodies += [list, elements[0]]
            for place in ControlSearch.named(in: stream.records.source).prefix(2) {
                guard case .body(let place) = place else { continue }
                bodies.append(JSONValue.members().setting(place, to: elements[0]))
            }
            return bodies
        }
    }

    /// A record with every member that a program over it names.
    private func record(_ rule: MadeValueRule) -> JSONValue {
        var record = JSONValue.members()
        let programs = stream.recordPrograms + (stream.since?.fields ?? [])
        let names = programs.flatMap { RecordPaths.of($0.source) }
        let fields = stream.map == nil ? stream.fields.map { [RecordPaths.Step.member($0.name)] } : []
        for path in (names + fields).sorted(by: { $0.count > $1.count }) {
            record = RecordPaths.filled(record, path[...], rule.value(for: path, isTime: isSince(path)))
        }
        return record
    }

    private func isSince(_ path: [RecordPaths.Step]) -> Bool {
        guard let since = stream.since, since.type != .integer, since.type != .opaque else { return false }
        return since.fields.contains { RecordPaths.of($0.source).contains(path) }
    }
}

/// The members that a program's text reads from a record, through lists as well.
enum RecordPaths {
    enum Step: Equatable {
        case member(String)
        case each
    }

    /// Each path, in order.
    static func of(_ source: String) -> [[Step]] {
        var (paths, path): ([[Step]], [Step]) = ([], [])
        let characters = Array(source + " ")
        var index = 0
        func isWord(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || character == "_")
        }
        while index < characters.count {
            let character = characters[index]
            let follows = index > 0 && (isWord(characters[index - 1]) || characters[index - 1] == "\"")
            if character == ".", !path.isEmpty || !follows, index + 1 < characters.count, isWord(characters[index + 1])
            {
                let end = characters[(index + 1)...].firstIndex { !isWord($0) } ?? characters.count
                path.append(.member(String(characters[(index + 1)..<end])))
                index = end
                continue
            }
            if character == "[", !path.isEmpty, let end = characters[index...].firstIndex(of: "]"),
                characters[(index + 1)..<end].allSatisfy({ $0.isNumber || $0 == "-" })
            {
                path.append(.each)
                index = end + 1
                continue
            }
            // A question mark, or a dot before a bracket, continues the path.
            if character != "?", !(character == "." && !path.isEmpty), !path.isEmpty {
                paths.append(path)
                path = []
            }
            index += 1
        }
        return paths
    }

    /// A record with a value at a path, unless it already has one.
    static func filled(_ record: JSONValue, _ path: ArraySlice<Step>, _ value: JSONValue) -> JSONValue {
        guard let step = path.first else { return record.isNull ? value : record }
        switch step {
        case .member(let name):
            guard record.object != nil || record.isNull else { return record }
            var object = record.object ?? JSONObject()
            let key = JSONString(name)
            object[key] = filled(object[key] ?? .null, path.dropFirst(), value)
            return .object(object)
        case .each:
            guard record.elements != nil || record.isNull else { return record }
            return .array([filled(record.elements?.first ?? .null, path.dropFirst(), value)])
        }
    }
}
