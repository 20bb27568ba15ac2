import LosslessJSON
import PlugCore

/// The end of a counted page (`number`, `offset`): what tells whether the page after it follows without a gap.
///
/// Counted pages shift: what is deleted on an earlier page pulls records from the next page onto one that was read
/// already. With `since` such a record would never be read again, so two pages count as joined only where a record of
/// the first is met again on the second, or still stands where it stood once the second was read.
struct PageTail: Sendable, Equatable {
    /// How many records are remembered, the last ones of the page: 20 may be deleted before the search begins at the
    /// first page.
    static let limit = 20

    /// Hashes of the records' identities, in order.
    let ids: [UInt64]
    /// Where the last one stood on its page.
    let last: Int
    /// How many pages without records came after it.
    var empties = 0

    /// The tail of a page; `nil` if it has no records.
    init?(_ page: [UInt64]) {
        guard !page.isEmpty else { return nil }
        ids = Array(page.suffix(Self.limit))
        last = page.count - 1
    }

    /// Whether a page has any of the records: then all that follow it are on this page and behind it.
    func isMet(on page: [UInt64]) -> Bool { !Set(ids).isDisjoint(with: page) }

    /// Whether the last record stands where it stood: then nothing before it has moved since.
    func stands(on page: [UInt64]) -> Bool { page.indices.contains(last) && page[last] == ids.last }

    // MARK: - In a state

    /// `{"last": 9, "empties": 0, "ids": ["00f3…", …]}`
    var json: JSONValue {
        let texts = ids.map { id in JSONValue.text(Hexadecimal.encoded(withUnsafeBytes(of: id.bigEndian, Array.init))) }
        return .members(("last", .integer(last)), ("empties", .integer(empties)), ("ids", .array(texts)))
    }

    /// Reads what `json` wrote.
    init?(_ json: JSONValue) {
        guard let last = json["last"]?.number?.int64, let texts = json["ids"]?.elements, !texts.isEmpty,
            texts.count <= Self.limit
        else { return nil }
        var ids: [UInt64] = []
        for text in texts {
            guard let text = text.stringText, let id = UInt64(text, radix: 16) else { return nil }
            ids.append(id)
        }
        self.ids = ids
        self.last = Int(last)
        empties = max(0, Int(json["empties"]?.number?.int64 ?? 0))
    }
}

/// Hashes what makes a record the same thing when it is met again.
struct RecordMarks: Sendable {
    private let keys: [Selector]

    init(_ stream: [Selector]) { keys = stream }

    /// A hash for each record of a page, of its `key`; of the whole record if it has none.
    func marks(_ records: [JSONView], _ globals: [JSONValue]) -> [UInt64] {
        records.map { record in
            var hash = StableHash()
            for key in keys {
                // A key that fails makes the record a dead letter; here the whole record stands for it.
                guard let output = (try? key.first(of: record, globals)) ?? nil, !output.isNull else {
                    hash = StableHash()
                    hash.combine(record.slice)
                    return hash.value
                }
                hash.combine(Array(output.compactText.utf8))
                hash.combine([0])
            }
            if keys.isEmpty { hash.combine(record.slice) }
            return hash.value
        }
    }
}

/// FNV-1a with 64 bits: the same in every process, which Swift's own hashes are not. Good against accidents only.
struct StableHash: Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds bytes.
    mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
