import CurlTransport
import LosslessJSON
import TestKit

extension LoopbackServer {
    /// A PDA on a real socket: one connection for each request, which ends without an answer where the model says so.
    static func pda(_ model: ModelPDA) throws -> LoopbackServer {
        try LoopbackServer { connection in
            guard let request = connection.next(), case .success(let response) = model.respond(HTTPRequest(request))
            else { return }
            let headers = response.headers.fields.map { "\($0.name): \($0.value)" }
            connection.answer(response.status, ["Connection: close"] + headers, response.body.withBytes { Array($0) })
        }
    }
}

extension HTTPRequest {
    /// A request as the model knows it: its own address, and only the headers that a plug sends.
    fileprivate init(_ request: LoopbackRequest) {
        self.init(
            method: request.method,
            url: "https://alice.example\(request.target)",
            headers: ["X-Auth-Token", "Content-Type", "Accept"].compactMap { name in
                request.header(name).map { HTTPHeader(name, $0) }
            },
            body: request.body,
            side: .pda
        )
    }
}
