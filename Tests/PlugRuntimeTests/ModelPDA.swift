import CurlTransport
import LosslessJSON
import PDAWire
import Synchronization

/// An append-only PDA in memory: unique over everything, strict or skipping errors, refusing what has a `poison`.
final class ModelPDA: HTTPSending {
    /// What goes wrong with one request.
    enum Fault { case lostBefore, lostAfter, unauthorised, cancelled, cancelledAfter }

    private struct State {
        var stored: [JSONValue] = []
        var present: Set<JSONValue> = []
        var requests = 0
        var tokens: [String] = []
        var faults: [Int: Fault] = [:]
        var refusesAll = false
        var isAway = false
        var refusesPoison = true
        var stumbles = true
        var newToken: String?
        var hook: (@Sendable (Int) -> Void)?
    }

    private let state = Mutex(State())

    var stored: [String] { state.withLock { $0.stored.map(\.compactText) } }
    /// The `id`s of what is stored, in the order in which it came.
    var ids: [String] { state.withLock { $0.stored.compactMap { $0["id"]?.stringText } } }
    var requests: Int { state.withLock { $0.requests } }
    var tokens: [String] { state.withLock { $0.tokens } }
    func fault(_ fault: Fault, at request: Int) { state.withLock { $0.faults[request] = fault } }
    func refuseAll(_ refuses: Bool) { state.withLock { $0.refusesAll = refuses } }
    func isAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
    /// From now on it takes records with the member `stumble`, at which it failed before.
    func stopStumbling() { state.withLock { $0.stumbles = false } }
    func acceptPoison() { state.withLock { $0.refusesPoison = false } }
    func giveToken(_ token: String) { state.withLock { $0.newToken = token } }
    func onRequest(_ hook: @escaping @Sendable (Int) -> Void) { state.withLock { $0.hook = hook } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let (number, hook) = state.withLock { state in
            state.requests += 1
            state.tokens += request.headers.filter { $0.name == "X-Auth-Token" }.map(\.value)
            return (state.requests, state.hook)
        }
        hook?(number)
        let fault = state.withLock { $0.faults.removeValue(forKey: number) }
        switch fault {
        case .lostBefore: throw HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        case .unauthorised: return reply(401, #"{"error":"Not Authenticated","message":"Not Authenticated"}"#)
        case .cancelled: throw HTTPError(.cancelled, "cancelled", mayHaveArrived: true)
        default: break
        }
        if state.withLock({ $0.isAway }) { throw HTTPError(.timedOut, "no answer in 30 s", mayHaveArrived: true) }
        let records = (try? JSONValue(parsing: request.body ?? []))?.elements ?? []
        if records.contains(where: { $0["stumble"] != nil }), state.withLock({ $0.stumbles }) {
            return reply(500, #"{"error":"Internal Server error"}"#)
        }
        let skips = request.url == "https://alice.example/api/v2.6/data/demo/items?skipErrors=true"
        let answer = store(records, skips)
        if fault == .lostAfter { throw HTTPError(.timedOut, "no answer in 30 s", mayHaveArrived: true) }
        if fault == .cancelledAfter { throw HTTPError(.cancelled, "cancelled", mayHaveArrived: true) }
        return answer
    }

    private func store(_ records: [JSONValue], _ skips: Bool) -> HTTPResponse {
        state.withLock { state in
            var accepted: [JSONValue] = []
            var present = state.present
            for record in records {
                let isDuplicate = present.contains(record)
                if isDuplicate || state.refusesAll || state.refusesPoison && record["poison"] != nil {
                    if skips { continue }
                    let cause = isDuplicate ? PDACause.duplicate : PDACause.notInsertable
                    return reply(400, #"{"message":"Bad Request","cause":"\#(cause)"}"#)
                }
                present.insert(record)
                accepted.append(record)
            }
            state.present = present
            state.stored += accepted
            let echo = accepted.map { #"{"endpoint":"demo/items","recordId":"9b","data":\#($0.compactText)}"# }
            return reply(201, "[\(echo.joined(separator: ","))]", token: state.newToken)
        }
    }

    private func reply(_ status: Int, _ text: String, token: String? = nil) -> HTTPResponse {
        var headers = [HTTPHeader("content-type", "application/json")]
        if let token { headers.append(HTTPHeader("x-auth-token", token)) }
        return HTTPResponse(
            status: status,
            headers: HTTPHeaders(headers),
            body: JSONBuffer(Array(text.utf8)),
            sentBytes: 10,
            receivedBytes: 20,
            url: ""
        )
    }
}
