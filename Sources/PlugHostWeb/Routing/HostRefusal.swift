internal import LosslessJSON
package import PlugCore

/// A request that ends with an error: a status, and what its reader can do.
package struct HostRefusal: Error, Sendable {
    /// The status.
    package var status: Int
    /// What happened.
    package var error: PlugError
    /// When to retry, in seconds.
    var retryAfter: Int?
    /// Whether only operators have access: they log in another way.
    var isForOperators = false
    /// The path's methods, for 405.
    var allowed: [String] = []

    /// A refusal.
    package init(_ status: Int, _ error: PlugError) {
        self.status = status
        self.error = error
    }

    /// A handler's error as a response to the caller. Details that are not for strangers are withheld: of an error without a code
    /// only its type is reported.
    init(_ error: any Error) {
        if let refusal = error as? HostRefusal {
            self = refusal
            return
        }
        guard let error = error as? PlugError else {
            self.init(500, PlugError(.requestFailed, "the host could not answer: \(type(of: error))"))
            return
        }
        self.init(Self.status(of: error), error)
        if status == 503 { retryAfter = 5 }
    }

    private static func status(of error: PlugError) -> Int {
        switch error.code.text {
        case "connection-unknown", "run-unknown": return 404
        case "state-locked", "connection-elsewhere", "connection-exists", "connection-waits", "setup-missing",
            // A connection's plug has no such stream: the request does not fit the resource.
            "unknown-stream":
            return 409
        default: break
        }
        return switch error.exit {
        case .usage, .data, .configuration, .failed: 422
        // Not the caller is at fault, but the token in their request.
        case .authorisation: 422
        case .tryLater, .stuck, .interrupted, .terminated: 503
        case .unreachable: 502
        case .done, .bug: 500
        }
    }

    /// As an RFC 9457 problem, with the additional members `code` and `advice`.
    var problem: HostAnswer {
        // A program has sent what it was given: a rejected token is not a mistake in its request. One for another place is.
        let isMisplaced = ["token-issuer", "token-application"].contains(error.code.text)
        let status = status == 422 && error.exit == .authorisation && !isMisplaced ? 403 : status
        var answer = HostAnswer.json(
            .members(
                ("title", .text(Self.title(status))),
                ("status", .integer(status)),
                ("code", .text(error.code.text)),
                ("detail", .text(error.message)),
                ("advice", error.advice.map { .text($0) } ?? .null)
            ),
            status: status
        )
        answer.type = "application/problem+json"
        return withHeaders(answer)
    }

    /// As a page.
    func page(for request: HostRequest) -> HostAnswer { withHeaders(request.page(.refusal(self))) }

    private func withHeaders(_ answer: HostAnswer) -> HostAnswer {
        var answer = answer
        if let retryAfter { answer.headers.append(("Retry-After", "\(retryAfter)")) }
        if !allowed.isEmpty { answer.headers.append(("Allow", allowed.joined(separator: ", "))) }
        if status == 401 { answer.headers.append(("WWW-Authenticate", "Bearer realm=\"plughost\"")) }
        return answer
    }

    static func title(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        default: "Internal Server Error"
        }
    }
}
