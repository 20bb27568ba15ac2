internal import LosslessJSON

/// The result of creating many records.
public struct CreatedRecords: Sendable, Equatable {
    /// The stored records as they came back, and what could not be read as one.
    public var answered: PDAList<DataRecord>
    /// The same, matched to the values that were sent, in their order: `nil` if none came back. Only a read can tell what that
    /// means: it may already be stored, anywhere in the PDA, or the PDA may not have accepted it.
    ///
    /// Values are told apart by their JSON. Of equal ones the first counts as stored.
    public var records: [DataRecord?]
    /// Records in the answer that match none of the values sent.
    public var unexpected: [DataRecord]

    /// The indices in the call of values that did not come back. Not all of them need be duplicates.
    public var notReturned: [Int] { records.indices.filter { records[$0] == nil } }

    init(_ answered: PDAList<DataRecord>, sent: [JSONValue]) {
        self.answered = answered
        unexpected = []
        // If as many came back as were sent, they are all of them, in order, even if the PDA stored them in another form.
        if answered.undecodable.isEmpty, answered.count == sent.count {
            records = answered.elements
            return
        }
        records = Array(repeating: nil, count: sent.count)
        var places: [JSONValue: [Int]] = [:]
        for (at, value) in sent.enumerated().reversed() { places[Self.stored(value), default: []].append(at) }
        for record in answered {
            if let at = places[Self.stored(record.data)]?.popLast() {
                records[at] = record
            } else {
                unexpected.append(record)
            }
        }
    }

    /// PDAs store no U+0000; everything else comes back as an equal value.
    private static func stored(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: value
        case .string(let string): .text(stored(string.text))
        case .array(let elements): .array(elements.map(stored))
        case .object(let object):
            .object(JSONObject(object.members.map { (key: JSONString(stored($0.key.text)), value: stored($0.value)) }))
        }
    }

    private static func stored(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self)
    }
}
