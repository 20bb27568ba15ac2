internal import LosslessJSON
internal import PDAWire

extension PDA {
    /// All data debits of the PDA: `GET /api/v2.6/data-debit` (S19). For owners.
    ///
    /// - Returns: What could be read, and what could not with its error.
    /// - Throws: `PDAError`; `undecodable` if the answer is not an array.
    public func dataDebits() async throws(PDAError) -> PDAList<DataDebitObject> {
        try PDAList.read(await request(PDARequest(PDARoute.dataDebits)).value(), at: "")
    }

    /// One data debit: `GET /api/v2.6/data-debit/KEY`. For owners and the data debit's recipient.
    ///
    /// - Throws: `PDAError`: `not_found` if there is none, `invalid_request` for an impossible key.
    public func dataDebit(_ key: String) async throws(PDAError) -> DataDebitObject {
        try await debit(key, PDARoute.dataDebit(key))
    }

    /// Asks the owner to agree: `POST /api/v2.6/data-debit/KEY` (S30, S31). No data flows until the owner agrees; see
    /// `approvalURL(of:redirect:fallback:)`.
    ///
    /// - Returns: The data debit, neither accepted nor active.
    /// - Throws: `PDAError`: `invalid_request` if `DataDebitCreationObject.check()` finds a fault, before anything
    ///   is sent; `refused` (400) if the key or the bundle's name is in use.
    public func createDataDebit(_ creation: DataDebitCreationObject) async throws(PDAError) -> DataDebitObject {
        try await propose(creation, "POST")
    }

    /// Asks the owner to agree to new terms: `PUT /api/v2.6/data-debit/KEY`. The old terms apply until then.
    ///
    /// - Returns: The data debit; `permissionsLatest` is the new request.
    /// - Throws: `PDAError`: `invalid_request` as for creating; `refused` (400) if there is no such data debit or the
    ///   bundle's name belongs to another. If a bundle reuses a name that the data debit had before, a PDA keeps the old
    ///   bundle: give a changed bundle a new name.
    public func updateDataDebit(_ creation: DataDebitCreationObject) async throws(PDAError) -> DataDebitObject {
        try await propose(creation, "PUT")
    }

    /// Agrees to the latest request: `GET /api/v2.6/data-debit/KEY/enable`. For owners.
    ///
    /// - Throws: `PDAError`: `refused` (400) if there is no such data debit.
    public func enableDataDebit(_ key: String) async throws(PDAError) -> DataDebitObject {
        try await debit(key, PDARoute.enableDataDebit(key), changes: true)
    }

    /// Ends the agreement: `GET /api/v2.6/data-debit/KEY/disable?atPeriodEnd=…`. For owners.
    ///
    /// - Parameters:
    ///   - key: The data debit.
    ///   - atPeriodEnd: Whether data flows until the current period ends. Servers overwrite the data debit's own
    ///     `cancelAtPeriodEnd` with it.
    /// - Throws: `PDAError`: `refused` (400) if there is no such data debit.
    public func disableDataDebit(_ key: String, atPeriodEnd: Bool) async throws(PDAError) -> DataDebitObject {
        try await debit(key, PDARoute.disableDataDebit(key, atPeriodEnd: atPeriodEnd), changes: true)
    }

    /// The data: `GET /api/v2.6/data-debit/KEY/values` (S33). All of it at once; only the bundle's limits apply.
    ///
    /// - Throws: `PDAError`, whose message names the key: `not_found`, or `refused` (400) if the owner has not agreed.
    public func dataDebitValues(_ key: String) async throws(PDAError) -> DataDebitValuesObject {
        try DebitName.check(key, at: "dataDebitKey")
        return try DataDebitValuesObject(json: await request(PDARequest(PDARoute.dataDebitValues(key))).value())
    }

    private func propose(_ creation: DataDebitCreationObject, _ method: String) async throws(PDAError)
        -> DataDebitObject
    {
        try creation.check()
        let route = PDARoute.dataDebit(creation.dataDebitKey)
        return try await changed(PDARequest(route, method: method, parameters: creation.json))
    }

    private func debit(
        _ key: String,
        _ route: String,
        changes: Bool = false
    ) async throws(PDAError) -> DataDebitObject {
        try DebitName.check(key, at: "dataDebitKey")
        if changes { return try await changed(PDARequest(route)) }
        return try DataDebitObject(json: await request(PDARequest(route)).value())
    }
}

extension PDA {
    /// Makes a call that changes something; if its answer cannot be read, the error says that it was done.
    func changed<Shape: PDAShape>(_ call: PDARequest) async throws(PDAError) -> Shape {
        try await changed(call) { json throws(PDAError) in try Shape(json: json) }
    }

    func changed<Result>(
        _ call: PDARequest,
        _ read: (JSONValue) throws(PDAError) -> Result
    ) async throws(PDAError) -> Result {
        var call = call
        call.changes = true
        let json = try await request(call).value()
        do throws(PDAError) {
            return try read(json)
        } catch {
            var error = error
            error.mayHaveArrived = true
            throw error
        }
    }
}
