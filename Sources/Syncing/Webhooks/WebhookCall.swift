internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// A service's call to a webhook.
package struct WebhookCall: Sendable {
    /// The largest body, in bytes; the HTTP server stops reading there.
    package static let bodyLimit = 1 << 20

    /// The method, such as `POST`.
    let method: String
    /// The fields of the query; if a name is repeated, the last one counts.
    let query: [String: String]
    /// The headers, with names in lower case; repeated ones are joined by `, `.
    let headers: [String: String]
    /// The body, byte for byte.
    let body: [UInt8]

    /// A call.
    ///
    /// - Parameters:
    ///   - query: The text after the question mark, as sent.
    ///   - body: At most `bodyLimit` bytes; a longer one is refused.
    package init(method: String, query: String, headers: [(name: String, value: String)], body: [UInt8]) {
        self.method = method.uppercased()
        self.body = body
        let fields = FormText.decode(query) ?? []
        self.query = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        self.headers = Dictionary(
            headers.map { ($0.name.lowercased(), $0.value) },
            uniquingKeysWith: { "\($0), \($1)" }
        )
    }

    /// The body as programs see it: JSON, or form fields as an object of texts; `null` if it is neither.
    var value: JSONValue {
        let limits = JSONLimits(depth: 32, bytes: Self.bodyLimit, tokens: 100_000)
        if let value = try? JSONValue(parsing: body, limits: limits) { return value }
        guard headers["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
            let fields = FormText.decode(String(decoding: body, as: UTF8.self))
        else { return .null }
        return Self.object(Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    }

    /// What programs see besides the body, in the order of `Webhook.globals`.
    var globals: [JSONValue] { [Self.object(headers), Self.object(query)] }

    /// The texts at a place: those with its prefix, which is removed.
    func texts(_ place: Webhook.Place) -> [String] {
        if let name = place.query {
            return [query[name]].compactMap(\.self).compactMap { Self.rest(of: $0, after: place.prefix) }
        }
        guard let value = place.header.flatMap({ headers[$0] }) else { return [] }
        if let whole = Self.rest(of: value, after: place.prefix), !value.contains(where: { $0 == "," || $0 == " " }) {
            return [whole]
        }
        // Limited, because each costs a comparison.
        let pieces = value.split(maxSplits: 32) { $0 == "," || $0 == " " }.prefix(32).map(String.init)
        let found = pieces.compactMap { Self.rest(of: $0, after: place.prefix) }
        // A prefix may end with a blank, as that of a bearer token does.
        return found.isEmpty ? [Self.rest(of: value, after: place.prefix)].compactMap(\.self) : found
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    private static func object(_ fields: [String: String]) -> JSONValue {
        let sorted = fields.sorted { $0.key < $1.key }
        return .object(JSONObject(sorted.map { (key: JSONString($0.key), value: JSONValue.text($0.value)) }))
    }
}

/// The response to a call.
package struct WebhookAnswer: Sendable, Equatable {
    /// The status.
    package var status: Int
    /// A text for `text/plain`, with `X-Content-Type-Options: nosniff`: a service may have chosen it.
    package var body: [UInt8]

    init(_ status: Int, _ text: String = "") { (self.status, body) = (status, Array(text.utf8)) }
}
