internal import LosslessJSON

/// What is kept of a program: its STATE, and which streams it was made with.
///
/// `{"plughost": 1, "keys": {"users": ["id"], "notes": []}, "state": …}`. An earlier version kept the STATE alone.
package struct SingerState: Equatable {
    /// The value of a STATE, every digit as the program wrote it.
    package var value: [UInt8]
    /// The streams that were read, by the program's names, with the members that identify their records; empty where the manifest
    /// names those, or no SCHEMA has come. `nil` where it is not known.
    package var keys: [String: [String]]?

    package init(value: [UInt8], keys: [String: [String]]?) { (self.value, self.keys) = (value, keys) }

    /// Reads what was kept.
    package init(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(bytes: bytes), document.root["plughost"]?.value == .integer(1),
            let value = document.root["state"], let keys = document.root["keys"]?.value.object
        else {
            self.init(value: bytes, keys: nil)
            return
        }
        let known = keys.members.map { ($0.key.text, ($0.value.elements ?? []).compactMap(\.stringText)) }
        self.init(value: Array(value.slice), keys: Dictionary(known) { first, _ in first })
    }

    /// As it is kept.
    package var bytes: [UInt8] {
        guard let keys else { return value }
        let members: [JSONObject.Member] = keys.sorted { $0.key < $1.key }.map { name, key in
            (JSONString(name), JSONValue.array(key.map { JSONValue.text($0) }))
        }
        let text = JSONValue.object(JSONObject(members)).compactText
        return Array("{\"plughost\":1,\"keys\":\(text),\"state\":".utf8) + value + [UInt8(ascii: "}")]
    }
}
