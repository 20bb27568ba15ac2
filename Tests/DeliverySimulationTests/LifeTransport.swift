import CurlTransport
import PlugCore

/// The network as one process life sees it: every request is an effect.
struct LifeTransport: HTTPSending {
    let world: World
    let effects: Effects
    let faults: Faults

    private static let lost = HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        await effects.interleave()
        let body = ProcessSettings.isReplaying ? " " + String(decoding: request.body ?? [], as: UTF8.self) : ""
        let verdict = effects.begin("\(request.method) \(request.url)\(body)")
        switch verdict {
        case .refused: throw Self.lost
        case .landsLater:
            world.landsLater(request)
            throw Self.lost
        case .happens, .happensUnheard: break
        }
        // On the wire: others of this life may die meanwhile, and it arrives nevertheless.
        await effects.interleave()
        let served: Served
        do throws(HTTPError) { served = try world.serve(request, faults) } catch {
            if verdict == .happensUnheard { effects.die() }
            throw effects.isDead ? Self.lost : error
        }
        if verdict == .happensUnheard { effects.die() }
        await effects.interleave()
        if effects.isDead { throw Self.lost }
        if let page = served.page { world.auditor.handed(page) }
        if let token = served.refreshToken { world.servers.tokens { $0.heard(token) } }
        return served.response
    }
}
