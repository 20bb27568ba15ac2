/// What of a request is signed: as it will go over the wire.
package struct SignableRequest: Sendable {
    /// In upper case.
    package var method: String
    /// `https`.
    package var scheme: String
    /// The host, with its port where that is not the scheme's own: what the header `Host` says.
    package var authority: String
    /// Begins with `/`; percent-encoded.
    package var path: String
    /// What follows the `?`, percent-encoded; `nil` without one.
    package var query: String?
    /// The headers that are signed, if any are.
    package var headers: [(name: String, value: String)]
    /// The body; empty without one.
    package var body: [UInt8]
    /// Whether the body is a form, whose fields are parameters like those of the query.
    package var hasForm: Bool

    /// A request.
    package init(
        method: String,
        scheme: String,
        authority: String,
        path: String,
        query: String? = nil,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        hasForm: Bool = false
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.hasForm = hasForm
    }
}
