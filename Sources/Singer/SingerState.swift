internal import LosslessJSON

/// What is kept of a program: its STATE, and the streams it was created with.
///
/// `{"plughost": 1, "streams": {"notes": "notes", "people": "users"}, "keys": {"users": ["id"], "notes": []}, "state": …}`. Earlier
/// versions kept a list of the manifest's streams, or the STATE alone.
package struct SingerState: Equatable {
    /// The value of a STATE, with every digit as the program wrote it.
    package var value: [UInt8]
    /// The manifest's streams that were read, with the program's names of them, empty where an earlier version did not keep them;
    /// `nil` if unknown.
    package var streams: [String: String]?
    /// By the program's names, the members that identify a stream's records; empty if the manifest names those, or no SCHEMA has
    /// arrived.
    package var keys: [String: [String]]

    package init(value: [UInt8], streams: [String: String]?, keys: [String: [String]]) {
        (self.value, self.streams, self.keys) = (value, streams, keys)
    }

    /// Reads the stored form.
    package init(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(bytes: bytes), document.root["plughost"]?.value == .integer(1),
            let value = document.root["state"], let keys = document.root["keys"]?.value.object,
            let streams = document.root["streams"].flatMap({ Self.streams($0.value) })
        else {
            self.init(value: bytes, streams: nil, keys: [:])
            return
        }
        let known = keys.members.map { ($0.key.text, ($0.value.elements ?? []).compactMap(\.stringText)) }
        self.init(
            value: Array(value.slice),
            streams: streams,
            keys: Dictionary(known) { first, _ in first }
        )
    }

    private static func streams(_ value: JSONValue) -> [String: String]? {
        let names =
            value.object?.members.map { ($0.key.text, $0.value.stringText ?? "") }
            ?? value.elements?.compactMap(\.stringText).map { ($0, "") }
        return names.map { Dictionary($0) { first, _ in first } }
    }

    /// Whether a stream of the manifest was read, under the name that the program now has for it.
    package func covers(_ stream: String, _ tap: String?) -> Bool {
        guard let streams else { return true }
        guard let before = streams[stream] else { return false }
        return before.isEmpty || before == tap
    }

    /// The stored form.
    package var bytes: [UInt8] {
        guard let streams else { return value }
        let members: [JSONObject.Member] = keys.sorted { $0.key < $1.key }.map { name, key in
            (JSONString(name), JSONValue.array(key.map { JSONValue.text($0) }))
        }
        let read = streams.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.text($0.value)) }
        let names = JSONValue.object(JSONObject(read.map { (JSONString($0), $1) })).compactText
        let text = "\"streams\":\(names),\"keys\":\(JSONValue.object(JSONObject(members)).compactText)"
        return Array("{\"plughost\":1,\(text),\"state\":".utf8) + value + [UInt8(ascii: "}")]
    }
}
