internal import Connecting
internal import CurlTransport
internal import PDAWire
internal import PlugCore
internal import Syncing

/// What PDAs ask of a plug and want of it, with their token in `x-auth-token`.
///
/// | route | answer |
/// |---|---|
/// | `GET /plugs/{plug}/api/status` | 200 where the plug works for the PDA's person, else 403; a fresh token is taken over |
/// | `POST /plugs/{plug}/api/tickle`, `POST /api/tickle` | 200 where connections run now, else 403 |
struct PDARoutes: Sendable {
    private let status: PDAStatus
    private let bell: Bell

    init(_ means: HostServer.Means) {
        status = PDAStatus(means.store, means.verifier, clock: means.clock)
        bell = means.bell
    }

    var all: [HostRoute] {
        let (status, bell) = (status, bell)
        // The status is for anybody: who is not known hears the same as whose plug does not work, in the form of PDAs.
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
