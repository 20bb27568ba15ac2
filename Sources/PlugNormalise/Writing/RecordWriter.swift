internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Writes a record's canonical form with its `_id`: by projection if the program allows it, otherwise by the engine, with
/// the same bytes.
final class RecordWriter: Sendable {
    private static let identityName = JSONString("_id")
    private static let identityKey = Array("_id".utf8)

    /// For a `map` that constructs an object of projections; the identity is among them.
    // Neither optional nor the payload of an enumeration: those are retained and released for each record.
    private let projection: JQProjection
    /// Where the object is that can be copied without examining single members: the record itself without `map`.
    private let copied: JQPath?
    private let map: JQProgram?
    /// `map`, if someone wants to know which members it meets.
    private let covered: JQProgram?
    private let casts: [FieldCast]
    private let hasIdentity: Bool
    /// How members that are not cast are treated; `nil` if they are left alone.
    private let members: RecordMembers?

    init(_ stream: Stream) {
        map = stream.map
        covered = stream.map?.coverage == nil ? nil : stream.map
        hasIdentity = stream.options.hasIdentity
        let casts = stream.fields.map { FieldCast(name: $0.name, cast: $0.cast) }
        self.casts = casts
        members = RecordMembers(stream)
        // Only the engine's path completes a record's members.
        let isPlain = members == nil
        projection = isPlain ? Self.projection(map, casts, hasIdentity) : .none
        let path = map.map { JQPath($0) } ?? .whole
        copied = isPlain && casts.isEmpty && path?.iterates == false ? path : nil
    }

    private static func projection(_ map: JQProgram?, _ casts: [FieldCast], _ hasIdentity: Bool) -> JQProjection {
        let projection = map.flatMap {
            // A member `_id` of the author's own is an error, which the engine's path words.
            JQProjection(
                $0,
                converting: casts.map { Array($0.name.utf8) },
                inserting: hasIdentity ? identityKey : nil
            )
        }
        return projection ?? .none
    }

    /// Appends the record.
    ///
    /// - Parameter identity: The decoded text of its `_id`, empty without one.
    /// - Returns: `false` if `map` produces nothing.
    func write(
        _ record: RawRecord,
        identity: UnsafeBufferPointer<UInt8>,
        to writer: inout CanonicalJSON,
        met: inout MetCasts,
        unknown: inout UnknownNames
    ) throws(RecordFailure) -> Bool {
        let (count, repaired) = (writer.bytes.count, writer.repaired)
        if let covered { record.cover(covered, as: .map) }
        if !projection.isNone {
            if try project(record, identity, to: &writer, met: &met) { return true }
        } else if let copied, case .node(let node) = copied.resolve(record.cursor, record.node),
            copy(node, record, identity, to: &writer)
        {
            return true
        }
        writer.bytes.removeSubrange(count...)
        writer.repaired = repaired
        return try compute(record, identity, to: &writer, met: &met, unknown: &unknown)
    }

    /// - Returns: Whether the projection suits the record.
    private func project(
        _ record: RawRecord,
        _ identity: UnsafeBufferPointer<UInt8>,
        to writer: inout CanonicalJSON,
        met: inout MetCasts
    ) throws(RecordFailure) -> Bool {
        var failure: RecordFailure?
        let isWritten = projection.write(record.cursor, record.node, inserted: identity, to: &writer) {
            cast,
            target,
            writer in
            met.insert(cast)
            do throws(RecordFailure) { return try convert(cast, target, record, to: &writer, met: &met) } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return isWritten
    }

    /// Whether `map` produces nothing for a record.
    func leavesOut(_ record: RawRecord) -> Bool {
        guard let map, let outputs = try? record.run(map, as: .map) else { return false }
        return outputs.allSatisfy(\.isNull) && outputs.count < 2
    }

    /// Writes a member's value after its cast.
    private func convert(
        _ cast: Int,
        _ target: JQPath.Target,
        _ record: RawRecord,
        to writer: inout CanonicalJSON,
        met: inout MetCasts
    ) throws(RecordFailure) -> Bool {
        switch target {
        case .missing: writer.appendNull()
        case .unfit: return false
        case .node(let node) where casts[cast].cast == .any: writer.append(record.cursor, node)
        case .node(let node): writer.append(try apply(cast, record.value(of: node), &met))
        }
        return true
    }

    private func copy(
        _ node: Int,
        _ record: RawRecord,
        _ identity: UnsafeBufferPointer<UInt8>,
        to writer: inout CanonicalJSON
    ) -> Bool {
        guard record.cursor.kind(node) == .object else { return false }
        guard hasIdentity else {
            writer.append(record.cursor, node)
            return true
        }
        return writer.append(record.cursor, object: node, inserting: Self.identityKey, text: identity)
    }

    /// The engine's path, which also words every error.
    private func compute(
        _ record: RawRecord,
        _ identity: UnsafeBufferPointer<UInt8>,
        to writer: inout CanonicalJSON,
        met: inout MetCasts,
        unknown: inout UnknownNames
    ) throws(RecordFailure) -> Bool {
        let outputs = if let map { try record.run(map, as: .map) } else { [record.output] }
        guard var output = outputs.first else { return false }
        guard outputs.count == 1 else {
            let reason = "'map' gives \(outputs.count) values instead of one object"
            throw RecordFailure(.mapNotOne, reason, key: "map")
        }
        if output.isNull { return false }
        guard output.isObject else {
            throw RecordFailure(
                .mapNotObject,
                "'map' gives a value of type \(output.typeName) instead of an object",
                key: "map"
            )
        }
        for (index, cast) in casts.enumerated() {
            let key = JSONString(cast.name)
            guard let value = output[key] else { continue }
            met.insert(index)
            output[key] = try apply(index, value, &met)
        }
        // An output already holds U+FFFD for a lone surrogate, so the engine's path counts repairs in the source.
        let repaired = writer.repaired
        if let members {
            var object = output.json.object ?? JSONObject()
            if hasIdentity, object[Self.identityName] != nil { throw Self.identityTaken }
            try members.complete(&object, of: record, unknown: &unknown)
            if hasIdentity { object[Self.identityName] = .text(String(decoding: identity, as: UTF8.self)) }
            writer.append(.object(object))
        } else if !hasIdentity {
            output.append(to: &writer)
        } else if !output.append(to: &writer, inserting: Self.identityName, text: Array(identity)) {
            throw Self.identityTaken
        }
        writer.repaired = repaired + record.repairs
        return true
    }

    private static var identityTaken: RecordFailure {
        RecordFailure(.identityTaken, "the record has a member '_id' of its own; rename it in 'map'", key: "map")
    }

    private func apply(_ index: Int, _ value: JSONValue, _ met: inout MetCasts) throws(RecordFailure) -> JSONValue {
        let cast = casts[index]
        do throws(FieldCast.Failure) {
            let result = try cast.apply(to: value)
            if cast.cast.isTime { met.note(index, value, result) }
            return result
        } catch {
            throw RecordFailure(.castFailed, error.reason, key: "fields.\(cast.name)")
        }
    }
}
