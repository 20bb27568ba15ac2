internal import JQ
internal import PlugCore
internal import PlugManifest
internal import PlugNormalise

/// What a pass has found, as stored in rows: the things that its records are about, by their `_id`s.
///
/// A row is a signature of 8 bytes, followed by entries: a kind, the length of the `_id` in 4 bytes, and the `_id`.
struct Inventory: Sendable {
    /// What an entry says about a thing.
    enum Kind: UInt8 {
        /// The source has it.
        case found = 0
        /// The source reports it as gone.
        case deleted = 1
        /// A record could not be read, so it is unknown which thing it is about.
        case unknown = 2
        /// It is missing, and kept for the next pass to compare: too many were missing, or it may have moved during reading.
        case kept = 3
        /// The pass begins with this row: without it, what the pass has found is not known in full.
        case beginning = 4
    }

    /// An entry; its bytes are valid as long as the row is.
    struct Entry {
        var kind: Kind
        /// The `_id` of the record.
        var identity: ArraySlice<UInt8> = []
        /// The `_id` without a version.
        var thing: ArraySlice<UInt8> { RecordBlock.unversioned(identity) }
    }

    /// Identifies the naming of a stream's things. Another `key` or another endpoint gives all of them new names, which says
    /// nothing about any of them.
    let signature: UInt64
    private let hash: SipHash
    /// The format of rows. Rows in another format come from another manifest.
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
    ///   - noted: What was recorded before, which is not recorded again; `nil` for nothing.
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

    /// The entries of a row; none if another manifest wrote it.
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
