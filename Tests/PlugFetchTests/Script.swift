import CurlTransport
import LosslessJSON
import Synchronization

/// Answers requests in the process, as told: the seam below the state machines.
final class Script: HTTPSending {
    struct Reply: Sendable {
        var status = 200
        var headers: [HTTPHeader] = []
        var body = "[]"
        /// The body, where it is no text in UTF-8.
        var bytes: [UInt8]?
        var error: HTTPError?

        static func json(_ body: String, _ headers: HTTPHeader...) -> Reply { Reply(headers: headers, body: body) }
        static func status(_ status: Int, _ headers: HTTPHeader..., body: String = "{}") -> Reply {
            Reply(status: status, headers: headers, body: body)
        }
        static func failure(_ code: HTTPError.Code) -> Reply { Reply(error: HTTPError(code, "no answer")) }
    }

    private let requests = Mutex<[HTTPRequest]>([])
    private let reply: @Sendable (HTTPRequest, Int) -> Reply

    /// - Parameter reply: The answer to a request and its number, from 0.
    init(_ reply: @escaping @Sendable (HTTPRequest, Int) -> Reply) { self.reply = reply }

    /// Answers in order; the last answer serves all further requests.
    convenience init(_ replies: Reply...) { self.init { _, at in replies[min(at, replies.count - 1)] } }

    /// Everything that was sent.
    var sent: [HTTPRequest] { requests.withLock { $0 } }
    /// The URLs that were asked for.
    var urls: [String] { sent.map(\.url) }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if Task.isCancelled { throw HTTPError(.cancelled, "cancelled") }
        let at = requests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        let reply = reply(request, at)
        if let error = reply.error { throw error }
        let body = reply.bytes ?? Array(reply.body.utf8)
        return HTTPResponse(
            status: reply.status,
            headers: HTTPHeaders(reply.headers),
            body: JSONBuffer(body),
            receivedBytes: body.count,
            url: request.url
        )
    }
}

extension HTTPRequest {
    /// A parameter of the query, as it is written; `nil` where there is none.
    func parameter(_ name: String) -> String? {
        guard let query = try? HTTPURL(url).query else { return nil }
        let pair = query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
        return pair.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The path of the URL.
    var path: String { (try? HTTPURL(url).path) ?? "" }

    /// A header's value.
    func header(_ name: String) -> String? { HTTPHeaders(headers).first(name) }
}
