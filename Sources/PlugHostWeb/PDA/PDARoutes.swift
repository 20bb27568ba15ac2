internal import Connecting
internal import CurlTransport
internal import PDAWire
internal import PlugCore
internal import Syncing

/// The routes that PDAs call for a plug, with their token in `x-auth-token`.
///
/// | route | answer |
/// |---|---|
/// | `GET /plugs/{plug}/api/status` | 200 if the plug works for the PDA's person, else 403; a newer token is adopted |
/// | `POST /plugs/{plug}/api/tickle`, `POST /api/tickle` | 200 if connections now run, else 403 |
struct PDARoutes: Sendable {
    private let status: PDAStatus
    private let bell: Bell

    init(_ means: HostServer.Means) {
        status = PDAStatus(means.store, means.verifier, clock: means.clock)
        bell = means.bell
    }

    var all: [HostRoute] {
        let (status, bell) = (status, bell)
        // Anyone may ask for the status: unknown callers get the same answer as those whose plug does not work, in PDAs' format.
        let asked = HostRoute(.get, "/plugs/{plug}/api/status", .anybody) { request in
            let token = request.headers.first(PDAHeader.token).map { Secret($0) }
            return Self.told(await status.answer(plug: request.parameter("plug"), token: token), bell)
        }
        let tickles = ["/plugs/{plug}/api/tickle", "/api/tickle"].map { (path: PathPattern) in
            HostRoute(.post, path, [.pda]) { request in
                guard case .pda(let pda, let plug) = request.visitor else { throw HostRefusal.notLoggedIn }
                return Self.told(try await status.tickle(plug: plug, of: pda), bell)
            }
        }
        return [asked] + tickles
    }

    private static func told(_ answer: PDAStatus.Answer, _ bell: Bell) -> HostAnswer {
        if !answer.woken.isEmpty { bell.ring() }
        return .json(answer.body, status: answer.status)
    }
}
