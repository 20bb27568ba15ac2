/// Canonical records of one page, frozen: what normalising hands on to delivery.
///
/// The bytes of all records are in one buffer, so that a page costs a handful of allocations and a batch is a slice.
public struct RecordBlock: Sendable, Equatable {
    /// One record.
    public struct Entry: Sendable, Equatable {
        /// The record's canonical JSON in `bytes`.
        public var range: Range<Int>
        /// The `_id` member's decoded text in `identities`; empty with `identity: off`.
        public var identity: Range<Int>
        /// An entry.
        public init(range: Range<Int>, identity: Range<Int>) {
            self.range = range
            self.identity = identity
        }
    }

    /// The canonical JSON of all records, one after another.
    public var bytes: [UInt8]
    /// The decoded `_id` texts (UTF-8), one after another.
    public var identities: [UInt8]
    /// The records, in the order in which the source gave them.
    public var entries: [Entry]
    /// What records without `_id` are about, by entry index: texts of their keys, which are never sent and only keep versions in
    /// order. Empty if the records have an `_id`, or no key.
    public var things: PackedTexts

    /// A block of these parts; empty by default.
    public init(
        bytes: [UInt8] = [],
        identities: [UInt8] = [],
        entries: [Entry] = [],
        things: PackedTexts = PackedTexts()
    ) {
        self.bytes = bytes
        self.identities = identities
        self.entries = entries
        self.things = things
    }

    /// A copy of some entries of a block.
    public init(copying indexes: some Sequence<Int>, of block: RecordBlock) {
        self.init()
        for index in indexes { append(copying: index, of: block) }
    }

    /// Adds an entry of another block.
    public mutating func append(copying index: Int, of block: RecordBlock) {
        let entry = block.entries[index]
        if !block.things.isEmpty { things.append(block.things[index], at: entries.count) }
        append(block.bytes[entry.range], identity: block.identities[entry.identity])
    }

    /// Adds a canonical record and the text of its `_id`, empty with `identity: off`.
    public mutating func append(_ record: some Collection<UInt8>, identity: some Collection<UInt8>) {
        let (start, identityStart) = (bytes.count, identities.count)
        bytes.append(contentsOf: record)
        identities.append(contentsOf: identity)
        entries.append(Entry(range: start..<bytes.count, identity: identityStart..<identities.count))
    }

    /// The `_id` of a record without its version; for a deletion, that of the thing deleted; empty for a record without `_id`.
    public func unversionedIdentity(_ index: Int) -> ArraySlice<UInt8> {
        Self.unversioned(identities[entries[index].identity])
    }

    /// What a record is about, regardless of its version: its `_id` without the version, or its key if it has none; empty if
    /// unknown.
    public func thing(_ index: Int) -> ArraySlice<UInt8> {
        entries[index].identity.isEmpty ? things[index] : unversionedIdentity(index)
    }

    /// An `_id` without its version.
    public static func unversioned(_ identity: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // In an `_id` with a version or of a deletion, the first @ precedes it: inside keys it is escaped.
        identity.prefix { $0 != UInt8(ascii: "@") }
    }

    /// The body size in bytes of a request with all records: a JSON array.
    public var bodySize: Int { bytes.count + max(2, entries.count + 1) }

    /// Where a request ends that begins with the record at `start` in a selection.
    ///
    /// - Parameters:
    ///   - selection: Indexes into `entries`.
    ///   - records: How many records a request may hold.
    ///   - bytes: How large its body may be, in bytes; a larger record is sent alone.
    /// - Returns: A position in the selection, greater than `start`.
    public func endOfBatch(from start: Int, in selection: [Int], records: Int, bytes limit: Int) -> Int {
        var end = start
        var bytes = 1
        while end < selection.count, end - start < max(1, records) {
            bytes += entries[selection[end]].range.count + 1
            if bytes > limit, end > start { break }
            end += 1
        }
        return end
    }
}

/// A record that could not be delivered or normalised, with its reason: kept until a person decides about it.
public struct DeadLetter: Sendable, Equatable {
    /// Which step refused it.
    public enum Stage: String, Sendable {
        /// `map`, `key` or a cast could not take the source's record.
        case normalise
        /// The PDA refused it when it was sent alone.
        case deliver
    }

    /// Which step refused it.
    public var stage: Stage
    /// A stable code such as `refused` or `map-failed`.
    public var code: String
    /// The reason, in words for a person.
    public var reason: String
    /// The record: canonical for `deliver`, the source's own JSON for `normalise`.
    public var record: [UInt8]
    /// The `_id`, empty if there is none yet.
    public var identity: String
    /// Where it was to go; `nil` for `normalise`, which comes before that is known.
    public var path: DataPath?

    /// A dead letter.
    public init(
        stage: Stage,
        code: String,
        reason: String,
        record: [UInt8],
        identity: String = "",
        path: DataPath? = nil
    ) {
        self.stage = stage
        self.code = code
        self.reason = reason
        self.record = record
        self.identity = identity
        self.path = path
    }
}

/// What the store remembers of a proven record: a keyed hash of its canonical form, 16 bytes.
public struct RecordFingerprint: Sendable, Hashable, BitwiseCopyable {
    /// The first eight bytes.
    public var high: UInt64
    /// The last eight bytes.
    public var low: UInt64
    /// A fingerprint.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
