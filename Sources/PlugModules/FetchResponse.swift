public import LosslessJSON

/// The response to a fetcher's request.
public struct FetchResponse: Sendable {
    /// The status.
    public let status: Int
    /// The body, decompressed; at most `http.max_body`.
    public let body: [UInt8]
    /// The address that responded, after redirects.
    public let url: String
    private let fields: [FetchRequest.Field]

    /// A response.
    package init(status: Int, headers: [FetchRequest.Field], body: [UInt8], url: String) {
        (self.status, fields, self.body, self.url) = (status, headers, body, url)
    }

    /// The first header field with a name, in any case; `nil` if there is none.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }

    /// The body as text; bytes that are not UTF-8 are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON, with all digits of its numbers.
    ///
    /// - Throws: `FetchError` of the kind `.data` if it is not JSON.
    public func json() throws(FetchError) -> JSONValue {
        do throws(JSONError) { return try JSONValue(parsing: body) } catch {
            if error.kind == .noMemory { throw FetchError(.later, "there is not enough memory to read an answer") }
            throw FetchError(.data, "an answer with the status \(status) is not JSON: \(error.reason)")
        }
    }
}
