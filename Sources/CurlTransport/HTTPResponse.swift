public import LosslessJSON
package import PlugCore

/// A whole answer.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields of the final answer: without those of 1xx answers, of a proxy, and without trailers.
    public var headers: HTTPHeaders
    /// The body, decompressed, in the buffer that it is parsed in. Nobody else holds it.
    public var body: JSONBuffer
    /// The body on a disk, where the request allows that and it is large: then `body` is empty.
    package var spooled: SpooledBody?
    /// Bytes of the request's header and body.
    public var sentBytes: Int
    /// Bytes of the answer's header and body as they were sent.
    public var receivedBytes: Int
    /// The URL that was asked, normalised.
    public var url: String

    /// How many bytes the body has, wherever it is.
    package var bodyCount: Int { spooled?.count ?? body.count }

    /// The first bytes of the body, wherever it lies.
    package func bodyPrefix(_ count: Int) throws(FileError) -> [UInt8] {
        guard let spooled else { return body.withBytes { Array($0.prefix(count)) } }
        return try spooled.prefix(count)
    }

    /// An answer, for tests and for senders other than libcurl.
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
