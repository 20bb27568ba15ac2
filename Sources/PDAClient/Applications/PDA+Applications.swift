internal import CurlTransport
internal import PDAWire
public import PlugCore

extension PDA {
    /// All applications and plugs that the PDA knows, including those never set up: `GET /api/v2.6/applications`
    /// (S34). Tell them apart by `application.kind.kind`.
    ///
    /// - Returns: What could be read, and what could not with its error. Nothing is dropped.
    /// - Throws: `PDAError`; `undecodable` if the answer is not an array.
    public func applications() async throws(PDAError) -> PDAList<HATApplicationObject> {
        try PDAList.read(await request(PDARequest(PDARoute.applications)).value(), at: "")
    }

    /// One application: `GET /api/v2.6/applications/ID`.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - cached: Whether the PDA may answer with data up to 10 minutes old. `false` sends
    ///     `Cache-Control: no-cache`: the status is queried again, the definition is not.
    /// - Throws: `PDAError`: `not_found` if the PDA cannot resolve the id.
    public func application(_ id: String, cached: Bool = true) async throws(PDAError) -> HATApplicationObject {
        try Self.check(id)
        // The exact value: the reference server compares it as a text.
        let headers = cached ? [] : [HTTPHeader("Cache-Control", "no-cache")]
        return try HATApplicationObject(
            json: await request(PDARequest(PDARoute.application(id), headers: headers)).value()
        )
    }

    /// Sets an application up, or up again after `needsUpdating`: `GET /api/v2.6/applications/ID/setup`. If it receives
    /// data, this also creates and enables the data debit `app-ID`. For owners and for apps with `applicationmanage`; others
    /// send the owner to `setUpURL(of:isInstalled:redirect:fallback:)`.
    ///
    /// - Throws: `PDAError`: `refused` (400) if the PDA cannot resolve the id; `server` (500) if the directory
    ///   failed after it was enabled, so check its state.
    public func setUp(application id: String) async throws(PDAError) -> HATApplicationObject {
        try Self.check(id)
        return try await changed(PDARequest(PDARoute.setUp(id)))
    }

    /// Disables an application: `GET /api/v2.6/applications/ID/disable` (S40). From then on its token is refused, and its
    /// data debit ends at once. Both the documented 201 and the server's 200 count as success.
    ///
    /// - Throws: `PDAError`: `refused` (400) if the PDA cannot resolve the id.
    public func disable(application id: String) async throws(PDAError) -> HATApplicationObject {
        try Self.check(id)
        return try await changed(PDARequest(PDARoute.disable(id)))
    }

    /// A token for an application: `GET /api/v2.6/applications/ID/access-token`. The application need not be set up, but
    /// its token is refused until it is.
    ///
    /// - Throws: `PDAError`: `not_found` if the PDA cannot resolve the id, `forbidden` for apps without the role
    ///   `retrieveapplicationtoken`.
    public func applicationToken(_ id: String) async throws(PDAError) -> Secret {
        try Self.check(id)
        let answer = try MemberReader(await request(PDARequest(PDARoute.applicationToken(id))).value(), at: "")
        let token: String = try answer.required("accessToken")
        guard !token.isEmpty else { throw .undecodable("accessToken", "is empty") }
        return Secret(token)
    }

    private static func check(_ id: String) throws(PDAError) {
        // To URL parsers one or two dots would be a different path, and an empty id the list.
        guard !id.isEmpty, id != ".", id != ".." else {
            throw PDAError(.invalidRequest, "the application has no id")
        }
    }
}
