internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDA {
    /// Records of one endpoint, in one answer: `GET /api/v2.6/data/NAMESPACE/ENDPOINT` (S12). For all of them see
    /// `pages(at:orderedBy:ordering:pageSize:)`.
    ///
    /// - Parameters:
    ///   - endpoint: `namespace/endpoint`, `[0-9a-z-/]+`.
    ///   - query: Which records, and in which order. Without `take` a PDA returns at most 1000, and does not say so.
    /// - Returns: The records, and what could not be read as one with its error. Empty for an endpoint at which nothing was
    ///   ever stored. The single object that the documentation shows is read as a list of one.
    /// - Throws: `PDAError`: `invalid_request` before anything is sent, `forbidden` if the token may not read the
    ///   namespace, `undecodable` if the answer is not a list.
    public func records(at endpoint: String, _ query: DataQuery = DataQuery()) async throws(PDAError)
        -> PDAList<DataRecord>
    {
        try DataAnswer.records(in: .array(try await elements(at: DataAddress.path(endpoint), query)))
    }

    /// One record: `GET /api/v2.6/data-record/ID`.
    ///
    /// - Parameter id: A UUID.
    /// - Throws: `PDAError`: `not_found` if there is none with that id, or it belongs to someone else; `forbidden` with an
    ///   empty body if the token is missing or too old.
    public func record(_ id: String) async throws(PDAError) -> DataRecord {
        guard !id.isEmpty, id != ".", id != ".." else { throw PDAError(.invalidRequest, "the record id is empty") }
        return try DataRecord(json: await request(PDARequest(PDARoute.record(id))).value())
    }

    /// Where the PDA holds data: `GET /api/v2.6/data/sources`.
    ///
    /// - Returns: Endpoints by namespace, without the namespace, in no particular order.
    public func sources() async throws(PDAError) -> PDAMap<[String]> {
        try PDAMap.read(await request(PDARequest(PDARoute.sources)).value(), at: "")
    }

    /// The elements of an answer, undecoded.
    func elements(at path: DataPath, _ query: DataQuery) async throws(PDAError) -> [JSONValue] {
        let parameters = try query.parameters()
        let call = PDARequest(PDARoute.data(path), encoding: .query, parameters: parameters)
        return try DataAnswer.elements(of: await request(call).value())
    }
}

/// Reads answers that hold records: an array on servers, one object in the documentation.
enum DataAnswer {
    static func elements(of json: JSONValue) throws(PDAError) -> [JSONValue] {
        if let elements = json.elements { return elements }
        guard json["data"] != nil else {
            throw .undecodable("", "should be a list of records, not \(json.article)")
        }
        return [json]
    }

    static func records(in json: JSONValue) throws(PDAError) -> PDAList<DataRecord> {
        try PDAList.read(.array(try elements(of: json)), at: "")
    }
}
