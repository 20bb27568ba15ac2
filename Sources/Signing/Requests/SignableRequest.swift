/// The parts of a request that are signed, as sent over the wire.
package struct SignableRequest: Sendable {
    /// The method, in upper case.
    package var method: String
    /// The scheme, such as `https`.
    package var scheme: String
    /// The host, with its port unless that is the scheme's default: the value of the header `Host`.
    package var authority: String
    /// The path, beginning with `/`; percent-encoded.
    package var path: String
    /// The part after the `?`, percent-encoded; `nil` if there is none.
    package var query: String?
    /// The headers to sign, if any.
    package var headers: [(name: String, value: String)]
    /// The body; empty if there is none.
    package var body: [UInt8]
    /// Whether the body is a form, whose fields are parameters like those of the query.
    package var hasForm: Bool

    /// Creates a request.
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
