public import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDA {
    /// Stores one record: `POST /api/v2.6/data/NAMESPACE/ENDPOINT` (S10, S11).
    ///
    /// - Parameters:
    ///   - data: Any JSON value but an array, which a PDA reads as many records: wrap it in an object.
    ///   - endpoint: `namespace/endpoint`, `[0-9a-z-/]+`, several levels deep if you like (S8).
    /// - Returns: The record as the PDA stored it, with its id.
    /// - Throws: `PDAError`: `invalid_request` before anything is sent; `duplicate` if the same data is already stored,
    ///   in any endpoint of this PDA; `forbidden` if the token may not write to the namespace.
    @discardableResult
    public func create(_ data: JSONValue, at endpoint: String) async throws(PDAError) -> DataRecord {
        let path = try DataAddress.path(endpoint)
        guard data.elements == nil else {
            throw .unsendable("data", "is an array", advice: "a PDA would store its elements: wrap it in an object")
        }
        let call = PDARequest(PDARoute.data(path), method: "POST", parameters: data)
        return try await changed(call) { json throws(PDAError) in
            let elements = try DataAnswer.elements(of: json)
            guard elements.count == 1 else { throw .undecodable("", "should be one record, not \(elements.count)") }
            return try DataRecord(json: elements[0])
        }
    }

    /// Stores one record with a value of your own type, like `create(_:at:)`.
    ///
    /// - Throws: `PDAError`: `invalid_request` if the value cannot be encoded, or is an array.
    @discardableResult
    public func create(encoding value: some Encodable, at endpoint: String) async throws(PDAError) -> DataRecord {
        try await create(try JSONValue(encodingForPDA: value), at: endpoint)
    }

    /// Stores many records in one call, which must stay below 10 MiB.
    ///
    /// - Parameters:
    ///   - data: One value for each record; here an array is a value too. Not empty.
    ///   - endpoint: `namespace/endpoint`, `[0-9a-z-/]+`.
    ///   - skipErrors: `false`: all or nothing. `true`: the PDA stores what it can, answers 201 in any case, and says
    ///     nothing about the rest. A value that did not come back is not necessarily stored already: every other reason is
    ///     suppressed too.
    /// - Returns: What was stored, and which of the values it belongs to.
    /// - Throws: `PDAError`: `invalid_request` before anything is sent; without `skipErrors`, `duplicate` if any of them is
    ///   already stored, or occurs twice among them.
    @discardableResult
    public func create(
        _ data: [JSONValue],
        at endpoint: String,
        skipErrors: Bool = false
    ) async throws(PDAError) -> CreatedRecords {
        let path = try DataAddress.path(endpoint)
        guard !data.isEmpty else { throw PDAError(.invalidRequest, "there are no records to create") }
        let route = PDARoute.data(path, skipErrors: skipErrors)
        let call = PDARequest(route, method: "POST", parameters: .array(data))
        return try await changed(call) { json throws(PDAError) in
            CreatedRecords(try DataAnswer.records(in: json), sent: data)
        }
    }

    /// Stores many records with values of your own type, like the call above.
    ///
    /// - Throws: `PDAError`: `invalid_request` if a value cannot be encoded.
    @discardableResult
    public func create(
        encodingEach values: [some Encodable],
        at endpoint: String,
        skipErrors: Bool = false
    ) async throws(PDAError) -> CreatedRecords {
        var data: [JSONValue] = []
        for value in values { data.append(try JSONValue(encodingForPDA: value)) }
        return try await create(data, at: endpoint, skipErrors: skipErrors)
    }

    /// Stores records of several endpoints in one call: `POST /api/v2.6/data-batch`. All or nothing.
    ///
    /// - Parameter records: Each with its own endpoint; linked records one level deep are stored with it. Not empty.
    /// - Returns: The stored records in the same order.
    /// - Throws: `PDAError`: `invalid_request` before anything is sent; `duplicate` if any of them is already stored;
    ///   `forbidden` if the token may not write to one of the namespaces.
    @discardableResult
    public func createBatch(_ records: [DataRecord]) async throws(PDAError) -> PDAList<DataRecord> {
        guard !records.isEmpty else { throw PDAError(.invalidRequest, "there are no records to create") }
        for (at, record) in records.enumerated() {
            _ = try DataAddress.path(record.endpoint, at: "[\(at)].endpoint")
            for (place, link) in (record.links ?? PDAList([])).enumerated() {
                let place = "[\(at)].links[\(place)]"
                _ = try DataAddress.path(link.endpoint, at: "\(place).endpoint")
                guard link.links?.isEmpty ?? true else {
                    throw .unsendable(
                        "\(place).links",
                        "is a second level of links",
                        advice: "a PDA would leave it out"
                    )
                }
            }
        }
        let call = PDARequest(PDARoute.dataBatch, method: "POST", parameters: .array(records.map(\.json)))
        return try await changed(call, DataAnswer.records)
    }
}
