package import CurlTransport
package import LosslessJSON
internal import PlugCore

/// An answer of an endpoint, with its body read as far as it can be.
package struct ReceivedAnswer: Sendable {
    /// What a body is.
    package enum Content: Sendable {
        /// JSON, or fields of a form as an object of texts: old services answer as they are asked.
        case value(JSONValue)
        /// A page for people.
        case page
        /// Nothing.
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

    /// The body as a value, `nil` where it is none.
    package var value: JSONValue? { if case .value(let value) = content { value } else { nil } }
    /// Whether the status says that all went well.
    package var isSuccess: Bool { 200..<300 ~= status }

    /// Reads an answer. What is not within `TokenEndpoint.answerLimit` and 32 levels is `other`.
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
        // What a body is, it says itself: services send JSON as text/html, and forms as text/plain.
        switch first {
        case UInt8(ascii: "<"): return .page
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let limits = JSONLimits(depth: 32, bytes: TokenEndpoint.answerLimit, tokens: 100_000)
            return (try? JSONValue(parsing: bytes, limits: limits)).map(Content.value) ?? .other
        default:
            if type.lowercased().contains("json") {
                // A bare `null` or a text: JSON, and no answer about tokens.
                return (try? JSONValue(parsing: bytes)).map(Content.value) ?? .other
            }
            return form(String(decoding: text, as: UTF8.self)).map(Content.value) ?? .other
        }
    }

    /// The fields of a form that says something about a token; a repeated one is refused (RFC 6749, section 3.2).
    private static func form(_ text: String) -> JSONValue? {
        guard let fields = FormText.decode(text.filter { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }),
            fields.contains(where: { $0.name == "access_token" || $0.name == "error" }),
            Set(fields.map(\.name)).count == fields.count
        else { return nil }
        return .object(JSONObject(fields.map { (key: JSONString($0.name), value: .text($0.value)) }))
    }
}
