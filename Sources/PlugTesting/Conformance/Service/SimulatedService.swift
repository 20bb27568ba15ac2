import CurlTransport
import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import Synchronization

/// An in-memory service: it gives the pages of one stream as its manifest describes them, everything else as recorded, and fails
/// when a scenario wants it to.
final class SimulatedService: HTTPSending {
    /// What happens to a request instead of an answer.
    struct Fault: Sendable {
        var status: Int
        var headers: [HTTPHeader] = []
        /// The answer's body; `nil` for the first half of the real one.
        var body: [UInt8]?
        /// Whether the answer quotes its request, including the credentials.
        var quotes = false
    }

    /// What happens to a request for a page of the stream, by its number from 1 and the time; `nil` for an answer.
    typealias Faults = @Sendable (_ number: Int, _ now: Int64) -> Fault?

    /// A request that was made.
    struct Asked: Sendable, Equatable {
        /// Which kind of request it was.
        enum Kind: Sendable, Equatable { case page, other, token }
        var kind: Kind
        /// Method, address and body.
        var text: String
        /// The values of its headers: any of them may carry a token.
        var headers: [String]
        /// When, in microseconds since 1970.
        var time: Int64

        /// Whether it carries a token anywhere.
        func shows(_ token: String) -> Bool { text.contains(token) || headers.contains { $0.contains(token) } }
    }

    private struct Token {
        var series: String
        var start: Int
        var lower: AskedPlace.Bound?
        var upper: AskedPlace.Bound?
        var onlyNew: Bool
    }

    private struct State {
        var recorded: ExchangeMatcher
        var asked: [Asked] = []
        var pages = 0
        var tokens: [String: Token] = [:]
        var series: [String: Int] = [:]
        var addresses: [String: HTTPURL] = [:]
        var grants = 0
        var isEndless = false
        var hasOpenWindow = false
    }

    /// How many requests a scenario may make: one that needs more would never end.
    static let requestLimit = 1_000

    private let family: StreamFamily
    private let content: Content
    private let lists: MadeSource.Lists
    private let tokens: SimulatedTokens
    private let above: [Cassette.Exchange]
    private let own: [Cassette.Exchange]
    private let clock: ReplayClock
    private let faults: Faults
    private let state: Mutex<State>

    /// Where the pages come from.
    enum Content: Sendable {
        /// They are simulated.
        case made(MadeSource)
        /// They are those of the fixture.
        case recorded
    }

    init(
        _ world: SimulatedWorld,
        _ lists: MadeSource.Lists,
        clock: ReplayClock,
        faults: @escaping Faults = { _, _ in nil }
    ) {
        family = world.family
        content = world.content
        self.lists = lists
        tokens = world.tokens
        let answers = world.material?.answers ?? [:]
        above = world.family.above.flatMap { answers[$0.name] ?? [] }.map(\.exchange)
        own = (answers[world.family.carrier.name] ?? []).map(\.exchange)
        self.clock = clock
        self.faults = faults
        let empty = Cassette(path: "", config: JSONObject(), now: clock.now(), exchanges: [])
        var cassette = world.material?.cassette ?? empty
        // A recorded conversation has refusals that were retried: here they would be the answer to every attempt.
        let answered = cassette.exchanges.filter { $0.status < 400 }
        if !answered.isEmpty { cassette.exchanges = answered }
        state = Mutex(State(recorded: ExchangeMatcher(cassette)))
    }

    /// Every request so far.
    var asked: [Asked] { state.withLock { $0.asked } }
    /// How many lists of the stream were requested.
    var seriesCount: Int { state.withLock { $0.series.count } }
    /// Whether the requests did not end.
    var isEndless: Bool { state.withLock { $0.isEndless } }
    /// Whether a window was requested whose bounds could not be read.
    var hasOpenWindow: Bool { state.withLock { $0.hasOpenWindow } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if Task.isCancelled { throw HTTPError(.cancelled, "the request was cancelled") }
        let asked = try AskedRequest(request)
        let place = AskedPlace(asked, headers: request.headers)
        let answer = try state.withLock { state throws(HTTPError) -> HTTPResponse in
            guard state.asked.count < Self.requestLimit else {
                state.isEndless = true
                throw HTTPError(.replayMismatch, "the scenario has no answer left")
            }
            let kind = kind(asked, place, state)
            state.asked.append(
                Asked(
                    kind: kind,
                    text: Self.text(asked),
                    headers: request.headers.map(\.value),
                    time: clock.now()
                )
            )
            switch kind {
            case .token:
                state.grants += 1
                let answer = tokens.answer(number: state.grants + 1)
                return Self.response(200, Self.fields(answer.headers), RecordProbe.bytes(answer.body), asked.url)
            case .other: return try recorded(asked, &state)
            case .page:
                state.pages += 1
                guard let fault = faults(state.pages, clock.now()) else { return try page(asked, place, &state) }
                return try failed(fault, request, asked, place, &state)
            }
        }
        return answer
    }

    // MARK: - Whose request it is

    private func kind(_ asked: AskedRequest, _ place: AskedPlace, _ state: State) -> Asked.Kind {
        if tokens.asks(asked) { return .token }
        if above.isEmpty || state.tokens.keys.contains(where: { place.mentions($0) }) { return .page }
        func distance(_ exchanges: [Cassette.Exchange]) -> Int {
            exchanges.map { ExchangeRequest($0).distance(from: asked) }.min() ?? .max
        }
        return distance(own) <= distance(above) ? .page : .other
    }

    // MARK: - Answers

    private func recorded(_ asked: AskedRequest, _ state: inout State) throws(HTTPError) -> HTTPResponse {
        guard let exchange = state.recorded.serveNearest(asked) else {
            throw HTTPError(.replayMismatch, "\(asked.url.hostAndPort): no fixture has an answer to this")
        }
        return HTTPResponse(exchange, asked.url)
    }

    private func failed(
        _ fault: Fault,
        _ request: HTTPRequest,
        _ asked: AskedRequest,
        _ place: AskedPlace,
        _ state: inout State
    ) throws(HTTPError) -> HTTPResponse {
        if let body = fault.body { return Self.response(fault.status, fault.headers, body, asked.url) }
        if fault.quotes {
            return Self.response(fault.status, fault.headers, Self.quoting(request, asked), asked.url)
        }
        let real = try page(asked, place, &state)
        let whole = real.body.withBytes { Array($0) }
        return Self.response(fault.status, real.headers.fields, Array(whole.prefix(max(1, whole.count / 2))), asked.url)
    }

    private func page(
        _ asked: AskedRequest,
        _ place: AskedPlace,
        _ state: inout State
    ) throws(HTTPError) -> HTTPResponse {
        guard case .made(let source) = content else { return try recorded(asked, &state) }
        let known = token(place, source, state)
        let name = known?.series ?? place.series(without: source.positions)
        if state.series[name] == nil {
            state.series[name] = state.series.count
            state.addresses[name] = asked.url
        }
        let series = state.series[name] ?? 0
        var token = known ?? Token(series: name, start: source.start(place), onlyNew: false)
        if known == nil {
            if let since = source.since {
                (token.lower, token.upper) = place.bounds(since)
                let isRead = token.lower?.moment != nil && token.upper?.moment != nil
                if since.window != nil, !isRead { state.hasOpenWindow = true }
            }
            token.onlyNew = lists.generation > 1 && place.mentions(Self.sync(lists.generation - 1, series))
        }
        if lists.repeats, token.start > source.size { token.start = source.size }
        let all = source.listing(lists, series: series, from: token.lower, to: token.upper, onlyNew: token.onlyNew)
        let end = min(all.count, token.start + source.size)
        var next = token
        next.start = token.start + source.size
        let goesOn = next.start < all.count || lists.repeats
        let records = all.count * source.template.perElement
        let facts = PageControls.Facts(
            next: goesOn ? self.next(source, series, next.start, state.addresses[name]) : nil,
            total: lists.repeats ? records * 10 : records,
            pages: (all.count + source.size - 1) / source.size * (lists.repeats ? 10 : 1),
            newest: source.comparesTheNewest ? source.newest(lists, series: series) : nil
        )
        let elements = token.start < end ? Array(all[token.start..<end]) : []
        var (body, headers) = source.controls.page(source.template.body(elements), source.headers, facts)
        for place in source.sync {
            let mark = goesOn ? nil : JSONValue.text(Self.sync(lists.generation, series))
            (body, headers) = ControlSearch.set(place, mark, body, headers)
        }
        for text in names(source, body, headers, facts, series, next.start) { state.tokens[text] = next }
        return Self.response(200, Self.fields(headers), source.probe.form.bytes(body), asked.url)
    }

    /// The texts by which a request may name the next page.
    private func names(
        _ source: MadeSource,
        _ body: JSONValue,
        _ headers: JSONValue,
        _ facts: PageControls.Facts,
        _ series: Int,
        _ start: Int
    ) -> [String] {
        switch source.controls.lead {
        case .none: return []
        case .link, .written:
            return facts.next == nil ? [] : [Self.token(series, start, lists.generation), Self.number(series, start)]
        case .derived:
            guard let program = source.paging?.kind.lead.program,
                let value = source.probe.page(program, body, headers: headers), !value.isNull
            else { return [] }
            return [value.stringText ?? value.compactText]
        }
    }

    private func token(_ place: AskedPlace, _ source: MadeSource, _ state: State) -> Token? {
        if case .derived = source.controls.lead {
            guard let paging = source.paging, paging.kind.lead.isToken, let param = paging.kind.param,
                let value = place.value(of: param, in: paging.place)
            else { return nil }
            return state.tokens[value]
        }
        return state.tokens.first { place.mentions($0.key) }?.value
    }

    private func next(_ source: MadeSource, _ series: Int, _ start: Int, _ first: HTTPURL?) -> JSONValue {
        let text = Self.token(series, start, lists.generation)
        if source.paging?.kind.lead.isAddress == true {
            let query = [first?.query, "page-token=\(text)"].compactMap(\.self).filter { !$0.isEmpty }
            return .text(first?.with(query: query.joined(separator: "&")).description ?? "")
        }
        if case .written(_, _, let isNumber) = source.controls.lead, isNumber {
            return JSONNumber(Self.number(series, start)).map { .number($0) } ?? .null
        }
        return .text(text)
    }
}
