internal import HTTPTypes
internal import Hummingbird
package import LosslessJSON
internal import NIOCore
internal import PlugCore

/// The response to a request.
package struct HostAnswer: Sendable {
    /// What happens to the browser's cookie.
    enum Cookie: Sendable {
        case stays
        case set(BrowserSecret, seconds: Int64?)
        case removed
    }

    /// The status.
    package var status: Int
    /// The media type of the body; `nil` without one.
    package var type: String?
    /// The body.
    package var body: [UInt8]
    /// Additional headers. Security headers are added to every response.
    package var headers: [(name: String, value: String)] = []
    /// Origins besides this host that a form of the page may lead to, after a redirect.
    package var formTargets: [String] = []
    /// Returns the body piece by piece, in place of `body`, until it returns `nil`.
    package var pieces: (@Sendable () async -> [UInt8]?)?
    /// Whether the page has the host's script, which sends further requests to the host.
    package var hasScript = false
    /// How long browsers and caches may keep it; `nil` for not at all, which is the rule.
    package var maxAge: Int?
    var cookie = Cookie.stays

    /// A response of bytes.
    package init(_ status: Int = 200, type: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.type = type
        self.body = body
    }

    /// A JSON value.
    package static func json(_ value: JSONValue, status: Int = 200) -> HostAnswer {
        var body: [UInt8] = []
        value.write(to: &body)
        return HostAnswer(status, type: "application/json", body: body)
    }

    /// A plain text.
    package static func text(_ text: String, status: Int = 200) -> HostAnswer {
        HostAnswer(status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    /// Redirects a browser to another page of this host or elsewhere. After a form, a `GET` follows.
    package static func redirect(to target: String) -> HostAnswer {
        var answer = HostAnswer(303)
        answer.headers.append(("Location", target))
        return answer
    }

    /// The HTTP library's form of it.
    func response(isHead: Bool) -> Response {
        var fields = HTTPFields()
        fields[.contentType] = type
        for header in headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        let content =
            if let pieces {
                ResponseBody(asyncSequence: AsyncStream { await pieces().map { ByteBuffer(bytes: $0) } })
            } else {
                ResponseBody(byteBuffer: ByteBuffer(bytes: body))
            }
        let response = Response(status: .init(code: status), headers: fields, body: content)
        return isHead ? response.createHeadResponse() : response
    }
}
