import LosslessJSON
import PlugCore

/// The end of a counted page (`number`, `offset`): shows whether the page after it follows without a gap.
///
/// Counted pages shift: a deletion on an earlier page pulls records from the next page onto one that was already read. With
/// `since` such a record would never be read again, so two pages count as joined only if a record of the first occurs again on
/// the second, or the first is unchanged once the second was read.
struct PageTail: Sendable, Equatable {
    /// How many of the page's last records are remembered: 20 may be deleted before the search starts from the first page.
    static let limit = 20

    /// Hashes of the records' identities, in order.
    let ids: [UInt64]
    /// The same for the last records of the pages before this one.
    let before: [UInt64]
    /// The first record of the page, and a hash of all of them; 0 in states of earlier versions, which kept neither.
    let first: UInt64
    let all: UInt64
    /// The position of the last one on its page.
    let last: Int
    /// How many pages without records came after it.
    var empties = 0
    /// Whether the page size has changed since: then no current page corresponds to this one.
    var isCut = false

    /// The tail of a page; `nil` if it has no records.
    ///
    /// - Parameter previous: The tail of the page before.
    init?(_ page: [UInt64], after previous: PageTail?) {
        guard let first = page.first else { return nil }
        ids = Array(page.suffix(Self.limit))
        before = previous.map { $0.ids + $0.before.prefix(Self.limit) } ?? []
        last = page.count - 1
        self.first = first
        all = Self.hash(page)
    }

    /// Whether a page has any of the records: then all that follow are on this page or after it.
    func isMet(on page: [UInt64]) -> Bool { !Set(ids).isDisjoint(with: page) }

    /// Whether the page is unchanged: then nothing before its end has moved since. An unmoved last record is not enough: a
    /// deletion and an addition cancel each other out.
    func isSame(as page: [UInt64]) -> Bool {
        guard all == 0 else { return Self.hash(page) == all }
        return page.indices.contains(last) && page[last] == ids.last
    }

    /// How many of the page's last records begin the next page, pushed down onto it by additions in front; `nil` if it begins
    /// with another one. A record that occurs further on was changed and has moved: that joins nothing.
    func pushed(onto next: [UInt64]) -> Int? {
        guard let first = next.first, let at = ids.lastIndex(of: first) else { return nil }
        let (tail, head) = (ids[at...], next.prefix(ids.count - at))
        return tail.starts(with: head) ? tail.count : nil
    }

    /// Whether the page still holds all but its last records, after those from the pages before: then none of its records, and
    /// none that follows, has been pulled away unseen.
    ///
    /// - Parameters:
    ///   - count: How many of the last ones were pushed onto the next page; more may have followed since.
    ///   - isFirst: Whether it is the first page, in front of which anything may be added.
    func isPushedDown(_ count: Int, on page: [UInt64], isFirst: Bool) -> Bool {
        guard let last = page.last, let at = ids.lastIndex(of: last), at < ids.count - count else { return false }
        guard page.suffix(at + 1) == ids[...at] else { return false }
        guard first != 0, !isFirst else { return true }
        return page.firstIndex(of: first).map { Set(before).isSuperset(of: page[..<$0]) } ?? false
    }

    private static func hash(_ page: [UInt64]) -> UInt64 {
        var hash = StableHash()
        for id in page { hash.combine(withUnsafeBytes(of: id.bigEndian, Array.init)) }
        return hash.value
    }

    // MARK: - In a state

    /// `{"last": 9, "empties": 0, "ids": ["00f3…", …], "before": […], "first": "07c4…", "all": "a14b…"}`
    var json: JSONValue {
        let json = JSONValue.members(
            ("last", .integer(last)),
            ("empties", .integer(empties)),
            ("ids", .array(ids.map(Self.text))),
            ("before", .array(before.map(Self.text))),
            ("first", Self.text(first)),
            ("all", Self.text(all))
        )
        guard isCut, var object = json.object else { return json }
        object["cut"] = .bool(true)
        return .object(object)
    }

    private static func text(_ id: UInt64) -> JSONValue {
        .text(Hexadecimal.encoded(withUnsafeBytes(of: id.bigEndian, Array.init)))
    }

    /// Reads what `json` wrote.
    init?(_ json: JSONValue) {
        func hashes(_ value: JSONValue?) -> [UInt64]? {
            guard let texts = value?.elements, texts.count <= 2 * Self.limit else { return nil }
            let ids = texts.compactMap { $0.stringText.flatMap { UInt64($0, radix: 16) } }
            return ids.count == texts.count ? ids : nil
        }
        guard let last = json["last"]?.number?.int64, let ids = hashes(json["ids"]), !ids.isEmpty else { return nil }
        self.ids = ids
        self.last = Int(last)
        before = hashes(json["before"]) ?? []
        first = hashes(.array([json["first"] ?? .null]))?.first ?? 0
        all = hashes(.array([json["all"] ?? .null]))?.first ?? 0
        isCut = json["cut"]?.bool == true
        empties = max(0, Int(json["empties"]?.number?.int64 ?? 0))
    }
}

/// Hashes the identity of a record, so that it is recognised when it occurs again.
struct RecordMarks: Sendable {
    private let keys: [Selector]

    init(_ stream: [Selector]) { keys = stream }

    /// A hash for each record of a page: of its `key`, or of the whole record if it has none.
    func marks(_ records: [JSONView], _ globals: [JSONValue]) -> [UInt64] {
        records.map { record in
            var hash = StableHash()
            for key in keys {
                // A key that fails makes the record a dead letter; here the whole record is used instead.
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

/// 64-bit FNV-1a: the same in every process, unlike Swift's own hashes. Not collision-resistant against attackers.
struct StableHash: Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Adds bytes.
    mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
