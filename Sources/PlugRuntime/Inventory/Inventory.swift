internal import JQ
internal import PlugCore
internal import PlugManifest
internal import PlugNormalise

/// What a pass has found, as rows of the store hold it: the things that its records are about, by their `_id`s.
///
/// A row is a signature of 8 bytes, and entries: a kind, the length of the thing's part of the `_id` and of all of it, 4 bytes
/// each, and the `_id`.
struct Inventory: Sendable {
    /// What an entry says of a thing.
    enum Kind: UInt8 {
        /// The source has it.
        case found = 0
        /// The source says that it is gone.
        case deleted = 1
        /// Some record could not be read, and nobody knows which thing it is about.
        case unknown = 2
        /// It is missing, and kept for the next pass to compare: more were missing than may be.
        case kept = 3
        /// The pass begins with this row: without it nobody knows all that the pass has found.
        case beginning = 4
    }

    /// An entry; its bytes are good while the row is.
    struct Entry {
        var kind: Kind
        /// The `_id` without a version.
        var thing: ArraySlice<UInt8>
        /// The `_id` of the record.
        var identity: ArraySlice<UInt8>
    }

    /// What a stream's things are named by. Another `key` or another endpoint gives all of them new names, which says nothing about
    /// any of them.
    let signature: UInt64
    private let hash: SipHash

    /// - Parameter key: The connection's secret key.
    init(_ stream: Stream, to path: DataPath, key: [UInt8]) {
        hash = SipHash(key: key)
        let names = (["\(path)"] + stream.key.map(\.source)).joined(separator: "\n")
        signature = Array(names.utf8).withUnsafeBytes { [hash] in hash.hash($0) }.high
    }

    /// A row of a page's things, empty for none.
    ///
    /// - Parameter beginsPass: Whether it is the first page of the pass.
    func row(of page: NormalisedPage, beginsPass: Bool) -> [UInt8] {
        var row: [UInt8] = []
        if beginsPass { append(Entry(kind: .beginning, thing: [], identity: []), to: &row) }
        var deletions = page.deletions[...]
        for (index, entry) in page.block.entries.enumerated() {
            let thing = page.block.unversionedIdentity(index)
            let isDeletion = deletions.first == index
            if isDeletion {
                deletions.removeFirst()
                append(Entry(kind: .deleted, thing: thing, identity: thing), to: &row)
            } else {
                append(Entry(kind: .found, thing: thing, identity: page.block.identities[entry.identity]), to: &row)
            }
        }
        for letter in page.identifiedLetters {
            let identity = Array(letter.utf8)[...]
            let thing = identity.prefix { $0 != UInt8(ascii: "@") }
            append(Entry(kind: .found, thing: thing, identity: identity), to: &row)
        }
        if page.unidentified > 0 { append(Entry(kind: .unknown, thing: [], identity: []), to: &row) }
        return row
    }

    /// Adds an entry to a row.
    func append(_ entry: Entry, to row: inout [UInt8]) {
        if row.isEmpty { append(signature, to: &row) }
        row.append(entry.kind.rawValue)
        append(UInt32(entry.thing.count), to: &row)
        append(UInt32(entry.identity.count), to: &row)
        row += entry.identity
    }

    private func append(_ number: some FixedWidthInteger, to row: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { row += $0 }
    }

    /// Visits the entries of a row; none of one that another manifest has written.
    func forEach(in row: [UInt8], _ body: (Entry) -> Void) {
        guard row.count >= 8, number(row[..<8]) == signature else { return }
        var rest = row.dropFirst(8)
        while rest.count >= 9, let kind = Kind(rawValue: rest[rest.startIndex]) {
            let thing = Int(number(rest.dropFirst(1).prefix(4)))
            let identity = Int(number(rest.dropFirst(5).prefix(4)))
            rest = rest.dropFirst(9)
            guard thing <= identity, identity <= rest.count else { return }
            body(Entry(kind: kind, thing: rest.prefix(thing), identity: rest.prefix(identity)))
            rest = rest.dropFirst(identity)
        }
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// A keyed hash of a thing.
    func fingerprint(_ thing: ArraySlice<UInt8>) -> RecordFingerprint { thing.withUnsafeBytes { hash.hash($0) } }
}
