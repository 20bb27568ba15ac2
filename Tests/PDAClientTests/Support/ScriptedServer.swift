import CurlTransport
import LosslessJSON
import PDAClient
import Synchronization
import TestKit

/// Gives written answers on a real socket, one connection for each, and remembers what was asked.
final class ScriptedServer: Sendable {
    private struct State {
        var answers: [Result<HTTPResponse, HTTPError>]
        var requests: [HTTPRequest] = []
    }

    private let state: Mutex<State>

    private init(_ answers: [Result<HTTPResponse, HTTPError>]) { state = Mutex(State(answers: answers)) }

    /// Gives a client whose PDA answers these, and the server. A failure closes the connection instead.
    static func withClient(
        _ answers: Result<HTTPResponse, HTTPError>...,
        tokens: InMemoryTokens = InMemoryTokens(Secret("T0")),
        _ body: (PDA, ScriptedServer) async throws -> Void
    ) async throws {
        let script = ScriptedServer(answers)
        let server = try LoopbackServer { script.serve(&$0) }
        defer { server.stop() }
        var policy = NetworkPolicy()
        policy.trustedPDAs = [server.authority]
        let transport = try HTTPTransport(policy: policy)
        do {
            try await body(PDA("http://\(server.authority)", tokens: tokens, transport: transport), script)
        } catch {
            await transport.shutDown()
            throw error
        }
        await transport.shutDown()
    }

    /// What was asked, the URL as path and query.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }
    /// Such as `GET /x?y=1`.
    var lines: [String] { requests.map { "\($0.method) \($0.url)" } }

    private func serve(_ connection: inout LoopbackConnection) {
        guard let request = connection.next() else { return }
        let answer = state.withLock { state in
            state.requests.append(HTTPRequest(request))
            return state.answers.isEmpty ? nil : try? state.answers.removeFirst().get()
        }
        guard let answer else { return }
        let headers = answer.headers.fields.map { "\($0.name): \($0.value)" }
        connection.answer(answer.status, ["Connection: close"] + headers, answer.body.withBytes { Array($0) })
    }
}

extension HTTPRequest {
    fileprivate init(_ request: LoopbackRequest) {
        self.init(
            method: request.method,
            url: request.target,
            headers: request.headers.map { HTTPHeader($0.name, $0.value) },
            body: request.body.isEmpty ? nil : request.body,
            side: .pda
        )
    }

    func header(_ name: String) -> String? { HTTPHeaders(headers).first(name) }
    var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
}
