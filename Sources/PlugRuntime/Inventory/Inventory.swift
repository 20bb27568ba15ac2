internal import JQ
internal import PlugCore
internal import PlugManifest
internal import PlugNormalise

/// What a pass has found, as rows of the store hold it: the things that its records are about, by their `_id`s.
///
/// A row is a signature of 8 bytes, and entries: a kind, the length of the `_id` in 4 bytes, and the `_id`.
struct Inventory: Sendable {
    /// What an entry says of a thing.
    enum Kind: UInt8 {
        /// The source has it.
        case found = 0
        /// The source says that it is gone.
        case deleted = 1
        /// Some record could not be read, and nobody knows which thing it is about.
        case unknown = 2
        /// It is missing, and kept for the next pass to compare: more were missing than may be, or it may have moved while it was read.
        case kept = 3
        /// The pass begins with this row: without it nobody knows all that the pass has found.
        case beginning = 4
    }

    /// An entry; its bytes are good while the row is.
    struct Entry {
        var kind: Kind
        /// The `_id` of the record.
        var identity: ArraySlice<UInt8> = []
        /// The `_id` without a version.
        var thing: ArraySlice<UInt8> { RecordBlock.unversioned(identity) }
    }

    /// What a stream's things are named by. Another `key` or another endpoint gives all of them new names, which says nothing about
    /// any of them.
    let signature: UInt64
    private let hash: SipHash
    /// How rows are written. Those of another form are another manifest's.
    private static let form = 2

    /// - Parameter key: The connection's secret key.
    init(_ stream: Stream, to path: DataPath, key: [UInt8]) {
        hash = SipHash(key: key)
        let names = (["\(Self.form) \(path)"] + stream.key.map(\.source)).joined(separator: "\n")
        signature = Array(names.utf8).withUnsafeBytes { [hash] in hash.hash($0) }.high
    }

    /// A row of a page's things, empty for none.
    ///
    /// - Parameters:
    ///   - beginsPass: Whether it is the first page of the pass.
    ///   - noted: What was written down before, which is not written down again; `nil` for nothing.
    func row(
        of page: NormalisedPage,
        beginsPass: Bool,
        _ noted: inout NotedThings?
    ) throws(PlugError) -> [UInt8] {
        var row: [UInt8] = []
        for entry in entries(of: page, beginsPass: beginsPass) {
            if try noted?.has(entry) == true { continue }
            try noted?.note(entry)
            append(entry, to: &row)
        }
        return row
    }

    private func entries(of page: NormalisedPage, beginsPass: Bool) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(page.block.entries.count + 2)
        if beginsPass { entries.append(Entry(kind: .beginning)) }
        var deletions = page.deletions[...]
        for (index, entry) in page.block.entries.enumerated() {
            let isDeletion = deletions.first == index
            if isDeletion {
                deletions.removeFirst()
                entries.append(Entry(kind: .deleted, identity: page.block.unversionedIdentity(index)))
            } else {
                entries.append(Entry(kind: .found, identity: page.block.identities[entry.identity]))
            }
        }
        for letter in page.identifiedLetters {
            entries.append(Entry(kind: .found, identity: Array(letter.utf8)[...]))
        }
        if page.unidentified > 0 { entries.append(Entry(kind: .unknown)) }
        return entries
    }

    /// Adds an entry to a row.
    func append(_ entry: Entry, to row: inout [UInt8]) {
        if row.isEmpty { append(signature, to: &row) }
        row.append(entry.kind.rawValue)
        append(UInt32(entry.identity.count), to: &row)
        row += entry.identity
    }

    private func append(_ number: some FixedWidthInteger, to row: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { row += $0 }
    }

    /// The entries of a row; none of one that another manifest has written.
    func entries(in row: [UInt8]) -> [Entry] {
        guard row.count >= 8, number(row[..<8]) == signature else { return [] }
        var entries: [Entry] = []
        var rest = row.dropFirst(8)
        while rest.count >= 5, let kind = Kind(rawValue: rest[rest.startIndex]) {
            let length = Int(number(rest.dropFirst(1).prefix(4)))
            rest = rest.dropFirst(5)
            guard length <= rest.count else { break }
            entries.append(Entry(kind: kind, identity: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return entries
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// A keyed hash of a thing.
    func fingerprint(_ thing: ArraySlice<UInt8>) -> RecordFingerprint { thing.withUnsafeBytes { hash.hash($0) } }
}
