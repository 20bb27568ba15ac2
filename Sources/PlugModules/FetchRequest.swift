/// A fetcher's request.
public struct FetchRequest: Sendable {
    /// A name with its value.
    public typealias Field = (name: String, value: String)

    /// The method, in capitals: `GET`, `POST`, `REPORT`.
    public var method: String
    /// A path below `http.base`, or a full URL on one of `hosts`. It is sent unchanged: percent-encode what you put into it.
    public var address: String
    /// Parameters that are encoded and added to the address.
    public var query: [Field]
    /// Fields besides those of `http.headers`, which they replace.
    public var headers: [Field]
    /// The body; `nil` for none.
    public var body: [UInt8]?
    /// Statuses besides 200 to 299 that the fetcher handles itself, such as 404 or 410. The host always handles 401 and 429: it
    /// renews the token, or waits.
    public var accepts: Set<Int>

    /// A request.
    public init(
        _ address: String,
        method: String = "GET",
        query: KeyValuePairs<String, String> = [:],
        headers: KeyValuePairs<String, String> = [:],
        body: [UInt8]? = nil,
        accepts: Set<Int> = []
    ) {
        self.method = method
        self.address = address
        self.query = query.map { ($0.key, $0.value) }
        self.headers = headers.map { ($0.key, $0.value) }
        self.body = body
        self.accepts = accepts
    }
}
