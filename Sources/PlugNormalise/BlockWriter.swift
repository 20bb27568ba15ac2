internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Writes a page's records one after another into a block.
struct BlockWriter {
    /// What became of a record.
    enum Outcome {
        case written
        /// As a deletion.
        case deleted
        /// `drop_if` or `map` leaves it out.
        case dropped
        /// With as much of its `_id` as could be made.
        case failed(RecordFailure, identity: [UInt8])
    }

    /// Most pages fit into this.
    private static let reservedAtMost = 1 << 20

    private let dropIf: JQProgram?
    private let deletion: JQProgram?
    private let identity: RecordIdentity?
    private let recordWriter: RecordWriter
    private let expected: Int
    private var writer = CanonicalJSON()
    private var identities: [UInt8] = []
    private var entries: [RecordBlock.Entry] = []
    private var casts = MetCasts()
    private var unknown = UnknownNames()
    private var hasVersion = false
    /// How many of the records are deletions, which have no members to cast.
    private var deletions = 0

    /// - Parameter expected: How many records there will be at most.
    init(_ stream: Stream, path: DataPath, expected: Int) {
        dropIf = stream.dropIf
        deletion = stream.deletion
        identity = RecordIdentity(stream, path: path)
        recordWriter = RecordWriter(stream)
        self.expected = expected
        entries.reserveCapacity(expected)
    }

    /// The records so far.
    var block: RecordBlock { RecordBlock(bytes: writer.bytes, identities: identities, entries: entries) }

    /// What the records so far showed of the manifest.
    var findings: RecordFindings {
        RecordFindings(records: entries.count - deletions, casts: casts, hasVersion: hasVersion, unknown: unknown)
    }

    /// Characters that were replaced because a PDA's database refuses them.
    var repaired: Int { writer.repaired }

    /// Appends a record, or nothing.
    mutating func append(_ record: RawRecord) -> Outcome {
        let (start, identityStart, repaired) = (writer.bytes.count, identities.count, writer.repaired)
        var isDeletion = false
        do throws(RecordFailure) {
            guard try write(record, identityStart, &isDeletion) else {
                identities.removeSubrange(identityStart...)
                return .dropped
            }
        } catch {
            let identity = Array(identities[identityStart...])
            writer.bytes.removeSubrange(start...)
            writer.repaired = repaired
            identities.removeSubrange(identityStart...)
            return .failed(error, identity: identity)
        }
        let entry = RecordBlock.Entry(range: start..<writer.bytes.count, identity: identityStart..<identities.count)
        entries.append(entry)
        if entries.count == 1 { makeRoom() }
        guard isDeletion else { return .written }
        deletions += 1
        return .deleted
    }

    private mutating func write(
        _ record: RawRecord,
        _ identityStart: Int,
        _ isDeletion: inout Bool
    ) throws(RecordFailure) -> Bool {
        // First: what is gone may have no key any more.
        if let dropIf, try record.run(dropIf, as: .dropIf).contains(where: \.isTruthy) { return false }
        if let deletion, try record.run(deletion, as: .deletion).first?.isTruthy == true {
            isDeletion = true
            let of = try identity?.append(deletionOf: record, to: &identities)
            if of?.hasVersion == true { hasVersion = true }
            writer.append(
                .object(Self.deletion(String(decoding: identities[identityStart...], as: UTF8.self), of: of?.thing))
            )
            return true
        }
        do throws(RecordFailure) {
            if try identity?.append(of: record, to: &identities) == true { hasVersion = true }
        } catch {
            // Nor has what 'map' leaves out.
            if recordWriter.leavesOut(record) { return false }
            throw error
        }
        return try identities.withUnsafeBufferPointer { identities throws(RecordFailure) in
            let identity = UnsafeBufferPointer(rebasing: identities[identityStart...])
            return try recordWriter.write(record, identity: identity, to: &writer, met: &casts, unknown: &unknown)
        }
    }

    /// `{"_id": …, "deleted": true, "of": …}`: what is gone is the thing whose `_id`, without its version, is `of`.
    private static func deletion(_ identity: String, of thing: String?) -> JSONObject {
        var object = JSONObject()
        if let thing {
            object["_id"] = .text(identity)
            object["of"] = .text(thing)
        }
        object["deleted"] = .bool(true)
        return object
    }

    /// A page's records are much like its first one.
    private mutating func makeRoom() {
        writer.bytes.reserveCapacity(min(Self.reservedAtMost, writer.bytes.count * expected / 8 * 9))
        identities.reserveCapacity(min(Self.reservedAtMost, identities.count * expected / 8 * 9))
    }
}
