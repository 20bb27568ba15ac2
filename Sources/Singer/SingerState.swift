internal import LosslessJSON

/// What is kept of a program: its STATE, and the streams it was created with.
///
/// `{"plughost": 1, "streams": ["notes", "people"], "keys": {"users": ["id"], "notes": []}, "state": …}`. An earlier version kept
/// the STATE alone.
package struct SingerState: Equatable {
    /// The value of a STATE, with every digit as the program wrote it.
    package var value: [UInt8]
    /// The manifest's streams that were read; `nil` if unknown.
    package var streams: Set<String>?
    /// By the program's names, the members that identify a stream's records; empty if the manifest names those, or no SCHEMA has
    /// arrived.
    package var keys: [String: [String]]

    package init(value: [UInt8], streams: Set<String>?, keys: [String: [String]]) {
        (self.value, self.streams, self.keys) = (value, streams, keys)
    }

    /// Reads the stored form.
    package init(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(bytes: bytes), document.root["plughost"]?.value == .integer(1),
            let value = document.root["state"], let keys = document.root["keys"]?.value.object,
            let streams = document.root["streams"]?.value.elements
        else {
            self.init(value: bytes, streams: nil, keys: [:])
            return
        }
        let known = keys.members.map { ($0.key.text, ($0.value.elements ?? []).compactMap(\.stringText)) }
        self.init(
            value: Array(value.slice),
            streams: Set(streams.compactMap(\.stringText)),
            keys: Dictionary(known) { first, _ in first }
        )
    }

    /// The stored form.
    package var bytes: [UInt8] {
        guard let streams else { return value }
        let members: [JSONObject.Member] = keys.sorted { $0.key < $1.key }.map { name, key in
            (JSONString(name), JSONValue.array(key.map { JSONValue.text($0) }))
        }
        let names = JSONValue.array(streams.sorted().map { JSONValue.text($0) }).compactText
        let text = "\"streams\":\(names),\"keys\":\(JSONValue.object(JSONObject(members)).compactText)"
        return Array("{\"plughost\":1,\(text),\"state\":".utf8) + value + [UInt8(ascii: "}")]
    }
}
