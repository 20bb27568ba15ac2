package import CurlTransport
package import LosslessJSON
internal import PlugCore

/// A response of an endpoint, with its body parsed as far as possible.
package struct ReceivedAnswer: Sendable {
    /// The kinds of body.
    package enum Content: Sendable {
        /// JSON, or form fields as an object of texts: old services respond in the format in which they are asked.
        case value(JSONValue)
        /// A web page.
        case page
        /// An empty body.
        case nothing
        /// Anything else.
        case other
    }

    /// The status.
    package var status: Int
    /// The headers.
    package var headers: HTTPHeaders
    /// The body.
    package var content: Content

    /// The body as a value; `nil` if it is not one.
    package var value: JSONValue? { if case .value(let value) = content { value } else { nil } }
    /// Whether the status is a success.
    package var isSuccess: Bool { 200..<300 ~= status }

    /// Reads a response. Anything beyond `TokenEndpoint.answerLimit` or 32 levels is `other`.
    package init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        let bytes = response.body.withBytes { $0.count <= TokenEndpoint.answerLimit ? Array($0) : nil }
        content = bytes.map { Self.content($0, type: response.headers.first("content-type") ?? "") } ?? .other
    }

    private static func content(_ bytes: [UInt8], type: String) -> Content {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let first = text.first(where: { !blanks.contains($0) }) else { return .nothing }
        // The body itself shows its format: services send JSON as text/html, and forms as text/plain.
        switch first {
        case UInt8(ascii: "<"): return .page
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let limits = JSONLimits(depth: 32, bytes: TokenEndpoint.answerLimit, tokens: 100_000)
            return (try? JSONValue(parsing: bytes, limits: limits)).map(Content.value) ?? .other
        default:
            if type.lowercased().contains("json") {
                // A bare `null` or a text: JSON, but not a token response.
                return (try? JSONValue(parsing: bytes)).map(Content.value) ?? .other
            }
            return form(String(decoding: text, as: UTF8.self)).map(Content.value) ?? .other
        }
    }

    /// The fields of a form that concerns a token; repeated fields are refused (RFC 6749, section 3.2).
    private static func form(_ text: String) -> JSONValue? {
        guard let fields = FormText.decode(text.filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }),
            fields.contains(where: { $0.name == "access_token" || $0.name == "error" }),
            Set(fields.map(\.name)).count == fields.count
        else { return nil }
        return .object(JSONObject(fields.map { (key: JSONString($0.name), value: .text($0.value)) }))
    }
}
