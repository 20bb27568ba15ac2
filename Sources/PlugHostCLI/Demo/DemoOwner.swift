internal import CurlTransport
internal import LosslessJSON
internal import PDAClient
internal import PDAWire
internal import PlugCore

/// The PDA's owner, who does over HTTP what only an owner may: sets up an application and reads.
struct DemoOwner {
    private let origin: String
    private let transport: any HTTPSending
    private let token: Secret

    /// Logs in.
    init(name: String, password: Secret, at origin: String, over transport: any HTTPSending) async throws(PlugError) {
        self.origin = origin
        self.transport = transport
        let headers = [
            HTTPHeader("username", PercentEncoding.segment(name)),
            HTTPHeader("password", PercentEncoding.segment(password.reveal())),
        ]
        token = try Self.token(in: try await Self.get(PDARoute.ownerToken, headers, at: origin, over: transport))
    }

    /// The application's current status, by the rule that clients use: a PDA's own cache of it may be ten minutes old.
    func state(of application: String) async throws(PlugError) -> ApplicationState {
        let headers = [HTTPHeader(PDAHeader.token, token.reveal()), HTTPHeader("Cache-Control", "no-cache")]
        let route = PDARoute.application(application)
        return ApplicationState(of: try await Self.get(route, headers, at: origin, over: transport))
    }

    /// Sets up an application, as the owner's client does after consent.
    func setUp(_ application: String) async throws(PlugError) { _ = try await get(PDARoute.setUp(application)) }

    /// The application's own token.
    func token(of application: String) async throws(PlugError) -> Secret {
        try Self.token(in: try await get(PDARoute.applicationToken(application)))
    }

    /// All records of an endpoint, counted, and the first few.
    func records(at path: DataPath, showing limit: Int) async throws(PlugError) -> (count: Int, first: [JSONValue]) {
        var count = 0
        var first: [JSONValue] = []
        while true {
            let page = try await get("\(PDARoute.data(path))?take=\(Self.pageSize)&skip=\(count)").elements ?? []
            if first.isEmpty { first = page.prefix(limit).map { $0["data"] ?? .null } }
            count += page.count
            if page.count < Self.pageSize { return (count, first) }
        }
    }

    private static let pageSize = 1000

    private func get(_ route: String) async throws(PlugError) -> JSONValue {
        try await Self.get(route, [HTTPHeader(PDAHeader.token, token.reveal())], at: origin, over: transport)
    }

    private static func get(
        _ route: String,
        _ headers: [HTTPHeader],
        at origin: String,
        over transport: any HTTPSending
    ) async throws(PlugError) -> JSONValue {
        let place = "GET \(route.prefix { $0 != "?" })"
        let accept = HTTPHeader("Accept", "application/json")
        let request = HTTPRequest(url: origin + route, headers: headers + [accept], side: .pda)
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch {
            let exit = error.code == .cancelled ? ExitStatus.interrupted : .unreachable
            throw PlugError(.demoPDA, exit: exit, "\(place): \(error.message)")
        }
        guard response.status == 200, let document = try? JSONDocument(response.body) else {
            throw PlugError(.demoPDA, exit: .failed, "\(place): the sandbox answered \(response.status)")
        }
        return document.root.value
    }

    private static func token(in answer: JSONValue) throws(PlugError) -> Secret {
        guard let token = answer["accessToken"]?.stringText else {
            throw PlugError(.demoPDA, exit: .failed, "the sandbox gave no token")
        }
        return Secret(token)
    }
}
