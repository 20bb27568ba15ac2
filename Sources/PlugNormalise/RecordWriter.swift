internal import JQ
internal import LosslessJSON
internal import PlugManifest

/// Writes a record's canonical form with its `_id`: by projection where the program allows it, else by the engine, with
/// the same bytes.
struct RecordWriter {
    private static let identityKey = Array("_id".utf8)
    private static let identityLabel = Array("\"_id\":".utf8)

    private enum Slot {
        case identity
        case member(JQProjection.Member, FieldCast?)
    }

    private enum Form {
        /// No `map`: the source's own object.
        case whole
        /// A constructed object of projections, its slots sorted with `_id` among them.
        case slots([Slot])
        /// A path to an object.
        case part(JQPath)
        /// Everything else.
        case engine
    }

    private let form: Form
    private let map: JQProgram?
    private let casts: [FieldCast]
    private let hasIdentity: Bool
    /// Whether the source's own object can be copied without looking at single members.
    private let copiesWhole: Bool

    init(_ stream: Stream) {
        map = stream.map
        hasIdentity = stream.hasIdentity
        casts = stream.fields.map { FieldCast(name: $0.name, cast: $0.cast) }
        copiesWhole = casts.isEmpty
        form = Self.form(stream.map, casts, hasIdentity)
    }

    private static func form(_ map: JQProgram?, _ casts: [FieldCast], _ hasIdentity: Bool) -> Form {
        guard let map else { return .whole }
        switch JQProjection(map) {
        case .object(let members):
            // A member `_id` of the author's own is an error that the engine's way words.
            guard !hasIdentity || members.allSatisfy({ $0.key != identityKey }) else { return .engine }
            var slots: [Slot] = members.map { member in
                .member(member, casts.first { Array($0.name.utf8) == member.key })
            }
            if hasIdentity {
                let place = members.firstIndex { !$0.key.lexicographicallyPrecedes(identityKey) } ?? members.count
                slots.insert(.identity, at: place)
            }
            return .slots(slots)
        case .value(let path) where path.steps.isEmpty: return .whole
        case .value(let path): return .part(path)
        default: return .engine
        }
    }

    /// Appends the record.
    ///
    /// - Parameter identity: The decoded text of its `_id`, empty without one.
    /// - Returns: `false` where `map` gives nothing.
    func write(_ record: RawRecord, identity: [UInt8], to writer: inout CanonicalJSON) throws(RecordFailure) -> Bool {
        let (count, repaired) = (writer.bytes.count, writer.repaired)
        switch form {
        case .slots(let slots):
            if try write(slots, record, identity, to: &writer) { return true }
        case .whole:
            if copiesWhole, copy(record.node, record, identity, to: &writer) { return true }
        case .part(let path):
            if copiesWhole, case .node(let node) = path.resolve(record.cursor, record.node),
                copy(node, record, identity, to: &writer)
            {
                return true
            }
        case .engine: break
        }
        writer.bytes.removeSubrange(count...)
        writer.repaired = repaired
        return try compute(record, identity, to: &writer)
    }

    private func write(
        _ slots: [Slot],
        _ record: RawRecord,
        _ identity: [UInt8],
        to writer: inout CanonicalJSON
    ) throws(RecordFailure) -> Bool {
        writer.append(UInt8(ascii: "{"))
        for (at, slot) in slots.enumerated() {
            if at > 0 { writer.append(UInt8(ascii: ",")) }
            switch slot {
            case .identity:
                writer.bytes.append(contentsOf: Self.identityLabel)
                writer.append(utf8: identity)
            case .member(let member, nil):
                writer.bytes.append(contentsOf: member.label)
                guard member.value.write(record.cursor, record.node, to: &writer) else { return false }
            case .member(let member, let cast?):
                guard case .value(let path) = member.value else { return false }
                writer.bytes.append(contentsOf: member.label)
                switch path.resolve(record.cursor, record.node) {
                case .missing: writer.append(.null)
                case .unfit: return false
                case .node(let node):
                    let value = JSONView(document: record.view.document, node: node).value
                    writer.append(try apply(cast, value))
                }
            }
        }
        writer.append(UInt8(ascii: "}"))
        return true
    }

    private func copy(_ node: Int, _ record: RawRecord, _ identity: [UInt8], to writer: inout CanonicalJSON) -> Bool {
        guard record.cursor.kind(node) == .object else { return false }
        guard hasIdentity else {
            writer.append(record.cursor, node)
            return true
        }
        return writer.append(record.cursor, object: node, inserting: Self.identityKey, text: identity)
    }

    /// The engine's way, which also words every error.
    private func compute(
        _ record: RawRecord,
        _ identity: [UInt8],
        to writer: inout CanonicalJSON
    ) throws(RecordFailure) -> Bool {
        let outputs =
            try map.map { program throws(RecordFailure) in try record.run(program, as: "map") } ?? [record.value]
        guard let output = outputs.first else { return false }
        guard outputs.count == 1 else {
            throw RecordFailure("map-not-one", "'map' gives \(outputs.count) values, where one object is needed")
        }
        if output.isNull { return false }
        guard var object = output.object else {
            throw RecordFailure(
                "map-not-object",
                "'map' gives a value of type \(output.typeName), where an object is needed"
            )
        }
        for cast in casts {
            let key = JSONString(cast.name)
            guard let value = object[key] else { continue }
            object[key] = try apply(cast, value)
        }
        if hasIdentity {
            guard object["_id"] == nil else {
                throw RecordFailure("identity-taken", "the record has a member '_id' of its own; rename it in 'map'")
            }
            object["_id"] = .text(String(decoding: identity, as: UTF8.self))
        }
        // A tree holds U+FFFD for a lone surrogate already, so what the engine's way repairs is counted in the source.
        let repaired = writer.repaired
        writer.append(.object(object))
        writer.repaired = repaired + record.repairs
        return true
    }

    private func apply(_ cast: FieldCast, _ value: JSONValue) throws(RecordFailure) -> JSONValue {
        do throws(FieldCast.Failure) { return try cast.apply(to: value) } catch {
            throw RecordFailure("cast-failed", error.reason)
        }
    }
}
