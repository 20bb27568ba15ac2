public import LosslessJSON
package import PlugCore

/// A complete response.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields of the final response: not those of 1xx responses or of a proxy, and no trailers.
    public var headers: HTTPHeaders
    /// The body, decompressed, in the buffer in which it is parsed. The response is its only owner.
    public var body: JSONBuffer
    /// The body on disk, if it is large and the request allows that: then `body` is empty.
    package var spooled: SpooledBody?
    /// Bytes of the request's header and body.
    public var sentBytes: Int
    /// Bytes of the response's header and body as sent.
    public var receivedBytes: Int
    /// The requested URL, normalised.
    public var url: String

    /// The size of the body in bytes, wherever it is.
    package var bodyCount: Int { spooled?.count ?? body.count }

    /// The first bytes of the body, wherever it is.
    package func bodyPrefix(_ count: Int) throws(FileError) -> [UInt8] {
        guard let spooled else { return body.withBytes { Array($0.prefix(count)) } }
        return try spooled.prefix(count)
    }

    /// A response, for tests and for senders other than libcurl.
    public init(
        status: Int,
        headers: HTTPHeaders = HTTPHeaders(),
        body: JSONBuffer = JSONBuffer(),
        sentBytes: Int = 0,
        receivedBytes: Int = 0,
        url: String
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
        self.url = url
    }
}
