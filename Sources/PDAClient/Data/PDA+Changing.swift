public import LosslessJSON
internal import PDAWire
public import PlugCore

extension PDA {
    /// Changes records: `PUT /api/v2.6/data` with an array, even for one element (S13, S14). All or nothing.
    ///
    /// - Parameter records: Records read earlier with other data, or made of `endpoint`, `recordID` and `data`; the data replaces
    ///   what was stored. A PDA does not move a record to another endpoint.
    /// - Returns: The changed records as the PDA echoes them; the single object that the documentation shows is a list of
    ///   one.
    /// - Throws: `PDAError`: `invalid_request` for an empty list, which a PDA answers with a 500, for a record without id, or
    ///   an impossible endpoint; `refused` (400) if a record is unknown or belongs to someone else; `server` (500) if the token
    ///   may not write to a namespace, or the new data is already stored.
    @discardableResult
    public func update(_ records: [DataRecord]) async throws(PDAError) -> PDAList<DataRecord> {
        guard !records.isEmpty else { throw PDAError(.invalidRequest, "there are no records to update") }
        for (at, record) in records.enumerated() {
            _ = try DataAddress.path(record.endpoint, at: "[\(at)].endpoint")
            guard let id = record.recordID, !id.isEmpty else {
                throw .unsendable("[\(at)].recordId", "is missing", advice: "read the record, and change that one")
            }
        }
        let call = PDARequest(PDARoute.records, method: "PUT", parameters: .array(records.map(\.json)))
        return try await changed(call, DataAnswer.records)
    }

    /// Changes records given as JSON; see `update(_:)` of records.
    ///
    /// - Parameter records: Objects of `endpoint`, `recordId` and `data`.
    /// - Returns: The elements of the answer as they came.
    public func update(_ records: [JSONValue]) async throws(PDAError) -> [JSONValue] {
        guard !records.isEmpty else { throw PDAError(.invalidRequest, "there are no records to update") }
        let call = PDARequest(PDARoute.records, method: "PUT", parameters: .array(records))
        return try await changed(call, DataAnswer.elements)
    }

    /// Deletes records: `DELETE /api/v2.6/data?records=ID&records=ID` (S15–S17). All or nothing.
    ///
    /// - Parameter ids: Each once, at most `recordsPerURL`; for more see `deleteInParts(records:)`.
    /// - Throws: `PDAError`: `invalid_request` for an empty list, which is never sent because a PDA reports success for it,
    ///   for a repeated id, and for too many; `refused` (400) if an id is unknown or belongs to someone else.
    public func delete(records ids: [String]) async throws(PDAError) {
        let parameters = try DataAddress.records(ids)
        let call = PDARequest(PDARoute.records, method: "DELETE", encoding: .query, parameters: parameters)
        _ = try await request(call).value()
    }

    /// Deletes any number of records in calls of `recordsPerURL`, one after another. Each call is all or nothing, the
    /// whole is not: it ends at the first failure.
    ///
    /// - Returns: What was deleted and what is left, with the failure that ended it.
    public func deleteInParts(records ids: [String]) async -> PartialDeletion {
        var done = PartialDeletion()
        guard Set(ids.map { $0.lowercased() }).count == ids.count else {
            done.remaining = ids
            done.error = DataAddress.repeated
            return done
        }
        var rest = ids[...]
        repeat {
            let part = Array(rest.prefix(Self.recordsPerURL))
            do throws(PDAError) {
                try await delete(records: part)
            } catch {
                done.remaining = Array(rest)
                done.error = error
                return done
            }
            done.deleted += part
            rest = rest.dropFirst(part.count)
        } while !rest.isEmpty
        return done
    }

    /// Deletes all records of exactly this endpoint, even if there are none:
    /// `DELETE /api/v2.6/data/NAMESPACE/ENDPOINT`. Records of endpoints below it stay.
    ///
    /// - Throws: `PDAError`: `forbidden` if the token may not write to the namespace.
    public func deleteAll(at path: DataPath) async throws(PDAError) {
        _ = try await request(PDARequest(PDARoute.data(path), method: "DELETE")).value()
    }

    /// Deletes all records of exactly this endpoint, like `deleteAll(at:)` with a path.
    ///
    /// - Parameter endpoint: `namespace/endpoint`, `[0-9a-z-/]+`; anything else is refused before it is sent.
    public func deleteAll(at endpoint: String) async throws(PDAError) {
        try await deleteAll(at: try DataAddress.path(endpoint))
    }

    /// Groups stored records, so that a bundle can request those linked to one: `POST /api/v2.6/data-link?records=…`.
    ///
    /// - Parameter ids: Each once, at most `recordsPerURL`: a group cannot be made in parts.
    /// - Throws: `PDAError`: `invalid_request` as for deleting; `server` (500) if an id is unknown.
    public func link(records ids: [String]) async throws(PDAError) {
        let parameters = try DataAddress.records(ids)
        _ = try await request(
            PDARequest(PDARoute.dataLink, method: "POST", encoding: .query, parameters: parameters)
        ).value()
    }
}

/// The outcome of a deletion in parts.
public struct PartialDeletion: Sendable, Equatable {
    /// The ids of deleted records, in the order given.
    public var deleted: [String] = []
    /// The others; if `error.mayHaveArrived` is set, up to `PDA.recordsPerURL` of the first may be deleted too.
    public var remaining: [String] = []
    /// Why it ended, `nil` if all were deleted.
    public var error: PDAError?
}

extension PDARoute {
    static let dataLink = "\(base)/data-link"
}
