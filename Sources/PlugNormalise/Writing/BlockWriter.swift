internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Writes a page's records one after another into a block.
struct BlockWriter {
    /// The outcome for a record.
    enum Outcome {
        case written
        /// As a deletion.
        case deleted
        /// `drop_if` or `map` leaves it out.
        case dropped
        /// With as much of its `_id` as could be made, and whether that is all of it.
        case failed(RecordFailure, identity: [UInt8], isWhole: Bool)
    }

    /// Most pages fit into this.
    private static let reservedAtMost = 1 << 20

    private let expected: Int
    private var writer = CanonicalJSON()
    private var identities: [UInt8] = []
    private var entries: [RecordBlock.Entry] = []
    private var things = PackedTexts()
    private var casts = MetCasts()
    private var unknown = UnknownNames()
    private var hasVersion = false
    /// The records that are deletions, which have no members to cast.
    private(set) var deletions: [Int] = []

    /// - Parameter expected: The maximum number of records.
    init(expected: Int) {
        self.expected = expected
        entries.reserveCapacity(expected)
    }

    /// The records so far.
    var block: RecordBlock {
        RecordBlock(bytes: writer.bytes, identities: identities, entries: entries, things: things)
    }

    /// What the records so far showed about the manifest.
    var findings: RecordFindings {
        RecordFindings(
            records: entries.count - deletions.count,
            casts: casts,
            hasVersion: hasVersion,
            unknown: unknown
        )
    }

    /// Characters that were replaced because a PDA's database rejects them.
    var repaired: Int { writer.repaired }

    /// Appends a record, or nothing.
    ///
    /// - Parameters:
    ///   - rules: Passed in: as a member it would be retained and released for each record.
    ///   - equal: The records of the same answer so far.
    mutating func append(_ record: RawRecord, by rules: RecordRules, among equal: inout EqualRecords) -> Outcome {
        let (start, identityStart, repaired) = (writer.bytes.count, identities.count, writer.repaired)
        var progress = Progress()
        do throws(RecordFailure) {
            guard try write(record, rules, identityStart, &progress, &equal) else {
                identities.removeSubrange(identityStart...)
                return .dropped
            }
        } catch {
            let identity = Array(identities[identityStart...])
            writer.bytes.removeSubrange(start...)
            writer.repaired = repaired
            identities.removeSubrange(identityStart...)
            return .failed(error, identity: identity, isWhole: progress.isIdentified)
        }
        let entry = RecordBlock.Entry(range: start..<writer.bytes.count, identity: identityStart..<identities.count)
        noteThing(of: record, rules, &equal)
        entries.append(entry)
        if entries.count == 1 { makeRoom() }
        guard progress.isDeletion else { return .written }
        deletions.append(entries.count - 1)
        return .deleted
    }

    /// How far processing of a record got.
    private struct Progress {
        /// Its `_id` is made.
        var isIdentified = false
        var isDeletion = false
    }

    private mutating func write(
        _ record: RawRecord,
        _ rules: RecordRules,
        _ identityStart: Int,
        _ progress: inout Progress,
        _ equal: inout EqualRecords
    ) throws(RecordFailure) -> Bool {
        // First: a deleted thing may no longer have a key.
        if let dropIf = rules.dropIf, try dropIf.holds(record) { return false }
        if let deletion = rules.deletion, try deletion.holds(record) {
            progress.isDeletion = true
            // The manifest was validated: deletions need an '_id'.
            guard let made = try rules.identity?.append(deletionOf: record, to: &identities, among: &equal) else {
                return false
            }
            if made.hasVersion { hasVersion = true }
            writer.append(made.deletion.json)
            return true
        }
        do throws(RecordFailure) {
            if try rules.identity?.append(of: record, to: &identities, among: &equal) == true { hasVersion = true }
        } catch {
            // A record that 'map' leaves out may have no key either.
            if rules.writer.leavesOut(record) { return false }
            throw error
        }
        progress.isIdentified = true
        return try identities.withUnsafeBufferPointer { identities throws(RecordFailure) in
            let identity = UnsafeBufferPointer(rebasing: identities[identityStart...])
            return try rules.writer.write(record, identity: identity, to: &writer, met: &casts, unknown: &unknown)
        }
    }

    /// Notes what a record without `_id` is about. One without a key is about something of its own.
    private mutating func noteThing(of record: RawRecord, _ rules: RecordRules, _ equal: inout EqualRecords) {
        guard let thing = rules.thing else { return }
        var text: [UInt8] = []
        do throws(RecordFailure) { _ = try thing.append(of: record, to: &text, among: &equal) } catch { return }
        things.append(text, at: entries.count)
    }

    /// A page's records are usually similar to its first one.
    private mutating func makeRoom() {
        writer.bytes.reserveCapacity(min(Self.reservedAtMost, writer.bytes.count * expected / 8 * 9))
        identities.reserveCapacity(min(Self.reservedAtMost, identities.count * expected / 8 * 9))
    }
}
