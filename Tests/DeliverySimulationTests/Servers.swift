import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization

/// What a request came to: the answer, and what was handed over with it.
struct Served: Sendable {
    var response: HTTPResponse
    var page: HandedPage?
    /// The refresh token in it.
    var refreshToken: String?
}

/// The service and everybody's PDA, which go on while hosts come and go.
final class Servers: Sendable {
    fileprivate struct State: Sendable {
        var source: Source
        var pdas: [ModelPDA]
        /// Requests of dead processes that are still on the wire.
        var late: [HTTPRequest] = []
    }

    private let state: Mutex<State>
    private let clock: WorldClock

    init(_ source: Source, clock: WorldClock) {
        self.clock = clock
        state = Mutex(State(source: source, pdas: source.people.map { ModelPDA(person: $0) }))
    }

    /// The true time in seconds.
    var now: Int64 { clock.seconds }
    var source: Source { state.withLock { $0.source } }
    func pda(_ person: Int) -> ModelPDA { state.withLock { $0.pdas[person] } }
    func holds(_ record: JSONValue, _ person: Int) -> Bool {
        state.withLock { $0.pdas[person].present.contains(record) }
    }
    var violations: [String] {
        state.withLock { $0.source.violations + $0.source.tokens.violations + $0.pdas.flatMap(\.violations) }
    }
    var pdaRequests: Int { state.withLock { $0.pdas.reduce(0) { $0 + $1.requests } } }

    /// What everybody has now, in what has to become of it, and what may be told of it where it is missing.
    func versions() throws -> [[Version]] {
        try state.withLock { state in
            try state.source.people.indices.map {
                try state.source.versions(of: $0) + state.source.deletions(of: $0)
            }
        }
    }

    /// Of these, what can be read: the source fails for no parent of it.
    func readable() throws -> [[Version]] {
        try state.withLock { state in
            try state.source.people.indices.map { try state.source.readable(of: $0) }
        }
    }

    func change(_ body: @Sendable (inout Source) -> Void) { state.withLock { body(&$0.source) } }

    /// Asks, or tells, whoever gives tokens.
    @discardableResult
    func tokens<Value: Sendable>(_ body: @Sendable (inout TokenService) -> Value) -> Value {
        state.withLock { body(&$0.source.tokens) }
    }

    /// A person's PDA is as it was before.
    func restore(_ pda: ModelPDA, of person: Int) { state.withLock { $0.pdas[person] = pda } }

    /// From now on every PDA fails so at stumbling records.
    func stumble(_ stumble: Stumble) {
        state.withLock { state in
            for person in state.pdas.indices { state.pdas[person].stumble = stumble }
        }
    }

    /// Nobody fails at single records and parents any more.
    func mend() {
        state.withLock { state in
            state.source.stumbles = [:]
            for person in state.pdas.indices { state.pdas[person].stumble = nil }
        }
    }
    var isMended: Bool { state.withLock { $0.pdas.allSatisfy { $0.stumble == nil } } }

    func landsLater(_ request: HTTPRequest) { state.withLock { $0.late.append(request) } }

    /// What was on the wire arrives; nobody hears the answer.
    func land() {
        let now = clock.seconds
        state.withLock { state in
            for request in state.late {
                if request.side == .pda {
                    _ = try? state.answer(request, nil, wait: 0, now)
                } else {
                    _ = state.source.tokens.answer(request, now: now, isLate: true)
                }
            }
            state.late = []
        }
    }

    func serve(_ request: HTTPRequest, _ faults: Faults) throws(HTTPError) -> Served {
        let now = clock.seconds
        switch request.side {
        case .pda:
            let (fault, wait) = (faults.atPDA(), faults.wait())
            let result = state.withLock { state -> Result<HTTPResponse, HTTPError> in
                Result { () throws(HTTPError) in try state.answer(request, fault, wait: wait, now) }
            }
            return Served(response: try result.get())
        case .source:
            let fault = faults.atSource()
            let wait = faults.wait()
            if let served = try serveToken(request, fault, wait: wait, now) { return served }
            let answer: Source.Answer?
            // Only a fault of this test can throw here; it shows as a page that never comes.
            answer = state.withLock { try? $0.source.answer(request, now: now) }
            return try serve(answer ?? .status(500), fault, wait: wait, now)
        }
    }

    /// Answers a request for a token; `nil` where it is none. Where the answer is lost, the token is given all the same.
    private func serveToken(
        _ request: HTTPRequest,
        _ fault: SourceFault?,
        wait: Int,
        _ now: Int64
    ) throws(HTTPError) -> Served? {
        guard request.method == "POST" else { return nil }
        let isAnswered = [nil, .timedOut, .reset, .truncated, .halfPage].contains(fault)
        guard isAnswered else { return try serve(.status(500), fault, wait: wait, now) }
        let answer = state.withLock { $0.source.tokens.answer(request, now: now) }
        guard let answer else { return nil }
        if fault == .halfPage { return reply(200, String(answer.body.prefix(answer.body.count / 2))) }
        _ = try serve(.status(answer.status), fault, wait: wait, now)
        var served = reply(answer.status, answer.body)
        served.refreshToken = answer.refreshToken
        return served
    }

    private func serve(
        _ answer: Source.Answer,
        _ fault: SourceFault?,
        wait: Int,
        _ now: Int64
    ) throws(HTTPError) -> Served {
        switch fault {
        case .limited: return reply(429, "{}")
        case .limitedForSeconds: return reply(429, "{}", HTTPHeader("Retry-After", String(wait)))
        case .limitedUntilDate: return reply(503, "", HTTPHeader("Retry-After", ModelPDA.date(now + Int64(wait))))
        case .limitedTooLong: return reply(429, "{}", HTTPHeader("Retry-After", String(World.longestWait)))
        case .failing: return reply(500, "oops")
        case .busy: return reply(503, "")
        case .timedOut: throw HTTPError(.timedOut, "no byte in 30 s", mayHaveArrived: true)
        case .reset: throw HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        case .unreachable: throw HTTPError(.cannotConnect, "nobody answers")
        case .truncated: throw HTTPError(.truncated, "the answer ended early", mayHaveArrived: true)
        case .loginPage: return reply(200, "<html>please log in</html>")
        case .halfPage, nil: break
        }
        switch answer {
        case .failure(.failing): return reply(500, "oops")
        case .failure(.closed): throw HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        case .failure(.refusedInHTML): return reply(200, "<html>please log in</html>")
        case .failure(.forbiddenInHTML): return reply(403, "<html>your request was blocked</html>")
        case .status(let status): return reply(status, #"{"error": "gone"}"#)
        case .page(let page):
            var served = reply(200, fault == .halfPage ? page.half : page.body, page.headers)
            served.page = fault == .halfPage ? page.handedHalf : page.handed
            return served
        }
    }

    private func reply(_ status: Int, _ text: String, _ header: HTTPHeader? = nil) -> Served {
        reply(status, Array(text.utf8), [HTTPHeader("Content-Type", "application/json")] + (header.map { [$0] } ?? []))
    }

    private func reply(_ status: Int, _ body: [UInt8], _ headers: [HTTPHeader]) -> Served {
        Served(
            response: HTTPResponse(
                status: status,
                headers: HTTPHeaders(headers),
                body: JSONBuffer(body),
                sentBytes: 100,
                receivedBytes: 100 + body.count,
                url: ""
            )
        )
    }
}

extension Servers.State {
    /// Finds the PDA that a request goes to.
    fileprivate mutating func answer(
        _ request: HTTPRequest,
        _ fault: PDAFault?,
        wait: Int,
        _ now: Int64
    ) throws(HTTPError) -> HTTPResponse {
        guard let at = pdas.firstIndex(where: { request.url.hasPrefix($0.origin + "/") }) else {
            source.violations.append("\(request.url) is nobody's PDA")
            throw HTTPError(.cannotResolve, "no such host")
        }
        return try pdas[at].answer(request, fault, wait: wait, now: now)
    }
}
