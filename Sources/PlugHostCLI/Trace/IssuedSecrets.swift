internal import CurlTransport
internal import LosslessJSON

/// What to show of a response that issues tokens: names, and the values that describe an error. Only the manifest says which of
/// the others are tokens, and it may be wrong: that is why the trace is read.
enum IssuedSecrets {
    private static let plainHeaders: Set<String> = [
        "cache-control", "connection", "content-encoding", "content-length", "content-type", "date", "pragma",
        "retry-after", "server",
        "transfer-encoding", "vary", "www-authenticate",
    ]
    private static let plainMembers: Set<String> = [
        "error", "error_code", "error_description", "error_uri", "expires_in", "interval", "message", "scope", "status",
        "token_type",
    ]

    static func lines(_ headers: [HTTPHeader], _ body: [UInt8]) -> [String] {
        let fields = headers.map { header in
            "\(header.name): \(plainHeaders.contains(header.name.lowercased()) ? header.value : CredentialShapes.blot)"
        }
        if body.isEmpty { return fields }
        guard let value = try? JSONValue(parsing: body) else {
            return fields + ["(a body that is no JSON; it is not shown, as it may be a token)"]
        }
        return fields + [String(outline(value, "").compactText.prefix(TraceExcerpt.limit))]
    }

    private static func outline(_ value: JSONValue, _ name: String) -> JSONValue {
        switch value {
        case .object(let object):
            .object(JSONObject(object.members.map { (key: $0.key, value: outline($0.value, $0.key.text)) }))
        case .array(let elements): .array(elements.map { outline($0, name) })
        case .string, .number: plainMembers.contains(name) ? value : .text(CredentialShapes.blot)
        default: value
        }
    }
}
