package import CurlTransport
internal import PlugCore

/// A request before it has been examined.
package struct IncomingRequest: Sendable {
    /// The method as sent.
    package var method: String
    /// Path and query as sent.
    package var target: String
    /// The headers, including `Host`.
    package var headers: HTTPHeaders
    /// The remote address.
    package var peer: String
    /// Reads the body, up to this number of bytes.
    package var read: @Sendable (Int) async throws -> [UInt8]

    /// A request.
    package init(
        method: String,
        target: String,
        headers: HTTPHeaders,
        peer: String,
        read: @escaping @Sendable (Int) async throws -> [UInt8]
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.peer = peer
        self.read = read
    }

    /// The path, without the query.
    var path: String { String(decoding: target.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self) }

    /// What follows the question mark, as sent.
    var rawQuery: String {
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        return mark.map { String(Substring(target.utf8[target.utf8.index(after: $0)...])) } ?? ""
    }

    /// The query's fields; none if it cannot be parsed.
    var query: [(name: String, value: String)] { FormText.decode(rawQuery) ?? [] }

    /// Whether it has a body.
    var hasBody: Bool {
        headers.first("Transfer-Encoding") != nil || (headers.first("Content-Length") ?? "0") != "0"
    }

    /// The media type of the body, in lower case and without parameters.
    var mediaType: String {
        let type = (headers.first("Content-Type") ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
        return String(decoding: type, as: UTF8.self).lowercased().filter { $0 != " " }
    }
}

/// A body has more bytes than were requested.
struct BodyTooLarge: Error {}
