import LosslessJSON
import PlugCore

/// Where a stream would continue after a replay, in human-readable form.
struct ReplayedCursor: Sendable, Equatable {
    /// The stream's name.
    let stream: String
    /// `{"watermark": …}` and the like; for a stream that is read for parents also `parents`, by a hash of each one's key.
    let value: JSONValue

    /// `nil` if the states say nothing: the next pass begins as the first one did.
    ///
    /// - Parameter states: The newest state of each part.
    init?(_ stream: String, _ states: [String: StreamState]) {
        var value = Self.shown(states[""]) ?? JSONObject()
        let parents = states.filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }.compactMap { part, state in
            Self.shown(state).map { (key: JSONString(String(part.prefix(8))), value: JSONValue.object($0)) }
        }
        if !parents.isEmpty { value["parents"] = .object(JSONObject(parents)) }
        guard value.count > 0 else { return nil }
        self.stream = stream
        self.value = .object(value)
    }

    /// Its line in a golden file, without the line break.
    var line: [UInt8] {
        var writer = CanonicalJSON()
        writer.append(.members(("cursor", value), ("stream", .text(stream))))
        return writer.bytes
    }

    /// The contents of a state, without what depends on the version of plughost and on the manifest's text.
    private static func shown(_ state: StreamState?) -> JSONObject? {
        guard let state, let object = (try? JSONValue(parsing: state.bytes))?.object else { return nil }
        var shown = JSONObject()
        for (key, value) in object.members where key != "v" && !value.isNull {
            switch key {
            case "validator": shown[key] = validator(value)
            // Besides how far parents were read, their state keeps a hash of what that is proven for.
            case "watermark": shown[key] = value["at"] ?? value
            // The rest of an interrupted pass is what plughost needs to continue, not a promise.
            case "pass": shown[key] = value["place"].map { .members(("place", $0)) }
            // What the fixture is replayed with is in the fixture.
            case "config": break
            default: shown[key] = value
            }
        }
        return shown.count > 0 ? shown : nil
    }

    /// The header with which the next pass asks whether anything has changed.
    private static func validator(_ value: JSONValue) -> JSONValue? {
        guard let header = value["header"]?.stringText, let text = value["value"] else { return nil }
        return .members((header, text))
    }
}
