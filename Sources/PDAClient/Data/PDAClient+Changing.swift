public import LosslessJSON
internal import PDAWire
public import PlugCore

extension PDAClient {
    /// Changes records: `PUT /api/v2.6/data` with an array, one element included. All or nothing.
    ///
    /// - Parameter records: Objects of `endpoint`, `recordId` and `data`; the data replaces what was stored.
    /// - Returns: The changed records as the PDA echoes them.
    /// - Throws: `PDAError`: `invalid_request` for an empty list, which a PDA answers with a 500; `refused` (400) where a
    ///   record is unknown or somebody else's.
    public func update(_ records: [JSONValue]) async throws(PDAError) -> [JSONValue] {
        guard !records.isEmpty else { throw PDAError(.invalidRequest, "there are no records to update") }
        let call = PDARequest(PDARoute.records, method: "PUT", parameters: .array(records))
        guard let changed = try await request(call).value().elements else {
            throw PDAError(.notJSON, "the PDA answered an update with what is no array", mayHaveArrived: true)
        }
        return changed
    }

    /// Deletes records: `DELETE /api/v2.6/data?records=ID&records=ID`. All or nothing.
    ///
    /// - Parameter ids: Each once; about 40 fit into a URL that every server takes.
    /// - Throws: `PDAError`: `invalid_request` for an empty list, which is never sent; `refused` (400) where an id is
    ///   unknown, somebody else's or named twice.
    public func delete(records ids: [String]) async throws(PDAError) {
        guard !ids.isEmpty else { throw PDAError(.invalidRequest, "there are no records to delete") }
        let parameters: JSONValue = .object(["records": .array(ids.map(JSONValue.text))])
        let call = PDARequest(PDARoute.records, method: "DELETE", encoding: .query, parameters: parameters)
        _ = try await request(call).value()
    }

    /// Deletes all records of exactly this endpoint, also where there are none.
    ///
    /// - Throws: `PDAError`: `forbidden` where the token may not write the namespace.
    public func deleteAll(at path: DataPath) async throws(PDAError) {
        _ = try await request(PDARequest(PDARoute.data(path), method: "DELETE")).value()
    }
}
