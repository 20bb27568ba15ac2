import CurlTransport
import LosslessJSON

/// Answers from a list, and remembers what was asked.
actor ScriptedSending: HTTPSending {
    private var answers: [Result<HTTPResponse, HTTPError>]
    private(set) var requests: [HTTPRequest] = []

    init(_ answers: Result<HTTPResponse, HTTPError>...) { self.answers = answers }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        requests.append(request)
        guard !answers.isEmpty else { throw HTTPError(.internal, "nothing is left to answer") }
        return try answers.removeFirst().get()
    }
}

extension Result where Success == HTTPResponse, Failure == HTTPError {
    static func answer(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> Self {
        let fields = headers.map { HTTPHeader($0.key, $0.value) }
        let buffer = JSONBuffer(Array(body.utf8))
        return .success(HTTPResponse(status: status, headers: HTTPHeaders(fields), body: buffer, url: ""))
    }
}
