internal import Cryptography
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// What a stream does with a mapped record's members besides casts: how it treats those that `fields` does not name, and
/// whether it adds the source's own record as one more.
struct RecordMembers: Sendable {
    private static let rawName = JSONString("raw")

    private let unknown: UnknownMembers
    private let named: Set<JSONString>
    private let raw: RawMember?

    /// `nil` if a stream wants none of this.
    init?(_ stream: Stream) {
        guard stream.options.unknown != .keep || stream.options.raw != nil else { return nil }
        unknown = stream.options.unknown
        named = Set(stream.fields.map { JSONString($0.name) })
        raw = stream.options.raw
    }

    /// Removes members, or notes them, and adds the source's record.
    func complete(_ object: inout JSONObject, of record: RawRecord, unknown found: inout UnknownNames)
        throws(RecordFailure)
    {
        switch unknown {
        case .keep: break
        case .drop: object = JSONObject(object.members.filter { named.contains($0.key) })
        case .report: for key in object.keys where !named.contains(key) { found.insert(key.text) }
        }
        guard let raw else { return }
        guard object[Self.rawName] == nil else {
            let reason =
                "the record has a member 'raw' of its own, which would hide the source's record; rename it in 'map'"
            throw RecordFailure(.rawTaken, reason, key: "raw")
        }
        switch raw {
        case .keep: object[Self.rawName] = record.value(of: record.node)
        case .hash:
            var writer = CanonicalJSON()
            writer.append(record.cursor, record.node)
            var hash = SHA256()
            hash.update(writer.bytes)
            object[Self.rawName] = .text(Hexadecimal.encoded(hash.finalize()))
        }
    }
}

/// Names of members that `fields` does not name, up to a small number.
struct UnknownNames: Sendable, Equatable {
    /// Longer lists would not be read.
    private static let limit = 50

    private(set) var names: [String] = []
    private var known: Set<String> = []
    /// Whether there were more.
    private(set) var isCut = false

    mutating func insert(_ name: String) {
        guard !known.contains(name) else { return }
        guard names.count < Self.limit else {
            isCut = true
            return
        }
        known.insert(name)
        names.append(name)
    }

    mutating func formUnion(_ other: UnknownNames) {
        for name in other.names { insert(name) }
        isCut = isCut || other.isCut
    }
}
