import CurlTransport
import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import Synchronization

/// What a fixture shows of a plug's service: which answers belong to which stream, and which records they were requested for.
struct Material: Sendable {
    /// An answer to a request of a stream.
    struct Answer: Sendable {
        var exchange: Cassette.Exchange
        /// The raw records for which it was requested, outermost first.
        var parents: [JSONValue]
    }

    /// The conversation.
    let cassette: Cassette
    /// The configuration with the manifest's defaults.
    let config: JSONObject
    /// The answers by stream, in order.
    var answers: [String: [Answer]] = [:]

    /// Reads each stream of the conversation separately: requests made for it, and not for its parents, are its own.
    ///
    /// What cannot be read has no answers; the fixture's own case reports why.
    static func read(_ manifest: Manifest, _ cassette: Cassette) async throws -> Material {
        let config = try cassette.answers(for: manifest)
        var material = Material(cassette: cassette, config: config)
        let replay = FixtureReplay(manifest, cassette, config)
        var seen: [String: Set<String>] = [:]
        for stream in manifest.streams {
            let above = StreamFamily(of: stream, in: manifest).ancestors
            let known = above.reduce(into: Set<String>()) { $0.formUnion(seen[$1.name] ?? []) }
            let recorder = CassetteTransport(cassette)
            var parents: [[JSONValue]] = []
            do {
                let fetcher = try replay.fetcher(through: recorder, clock: ReplayClock(cassette.now, isSlow: true))
                try await fetcher.withReader(of: stream.name, from: NoStates()) { reader in
                    while let page = try await reader.next() {
                        if let parent = page.parent { parents.append(page.ancestors + [parent.value]) }
                        if page.endsPass { break }
                    }
                }
            } catch let error as PlugError {
                if error.code == .interrupted { throw error }
            }
            seen[stream.name] = Set(recorder.asked.map(\.name)).union(known)
            let own = recorder.asked.filter { !known.contains($0.name) && (200...299).contains($0.status) }
            // Its programs show which page belongs to which answer.
            material.answers[stream.name] = own.flatMap { exchange in
                parents.isEmpty
                    ? [Answer(exchange: exchange, parents: [])]
                    : Self.distinct(parents).map { Answer(exchange: exchange, parents: $0) }
            }
        }
        return material
    }

    private static func distinct(_ parents: [[JSONValue]]) -> [[JSONValue]] {
        var seen: Set<[JSONValue]> = []
        return Array(parents.filter { seen.insert($0).inserted }.prefix(4))
    }
}

/// Answers from a conversation as a server does, and records the requests.
final class CassetteTransport: HTTPSending {
    private struct State {
        var matcher: ExchangeMatcher
        var asked: [Cassette.Exchange] = []
    }
    private let state: Mutex<State>

    init(_ cassette: Cassette) { state = Mutex(State(matcher: ExchangeMatcher(cassette))) }

    /// The exchanges that were used as answers, each once, in order.
    var asked: [Cassette.Exchange] {
        var seen: Set<String> = []
        return state.withLock { $0.asked }.filter { seen.insert($0.name).inserted }
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if Task.isCancelled { throw HTTPError(.cancelled, "the request was cancelled") }
        let asked = try AskedRequest(request)
        let exchange = state.withLock { state -> Cassette.Exchange? in
            guard case .success(let exchange) = state.matcher.serve(asked) else { return nil }
            state.asked.append(exchange)
            return exchange
        }
        guard let exchange else { throw HTTPError(.replayMismatch, "the fixture has no such exchange") }
        return HTTPResponse(exchange, asked.url)
    }
}

extension Cassette.Exchange {
    /// What distinguishes it from others in its conversation.
    fileprivate var name: String { "\(line) \(method) \(url) \(requestBody?.compactText ?? "")" }
}

/// A stream with everything above it.
struct StreamFamily {
    /// The stream itself.
    let stream: PlugManifest.Stream
    /// The streams that it is read for, at all levels, nearest first, each once.
    let ancestors: [PlugManifest.Stream]
    /// The stream that sends the requests whose answers contain its records: itself, or the one whose records contain them.
    let carrier: PlugManifest.Stream
    /// The streams from the carrier, exclusive, down to this one.
    let inside: [PlugManifest.Stream]

    init(of stream: PlugManifest.Stream, in manifest: Manifest) {
        self.stream = stream
        var ancestors: [PlugManifest.Stream] = []
        var next = stream.parent?.streams ?? []
        while let name = next.first {
            next.removeFirst()
            guard !ancestors.contains(where: { $0.name == name }), let above = manifest.stream(name) else { continue }
            ancestors.append(above)
            next += above.parent?.streams ?? []
        }
        self.ancestors = ancestors
        var carrier = stream
        var inside: [PlugManifest.Stream] = []
        while carrier.request == nil, let above = carrier.parent?.streams.last.flatMap({ manifest.stream($0) }) {
            inside.insert(carrier, at: 0)
            carrier = above
        }
        self.carrier = carrier
        self.inside = inside
    }

    /// The streams whose answers come from requests other than the carrier's.
    var above: [PlugManifest.Stream] {
        ancestors.filter { ancestor in
            ancestor.name != carrier.name && !inside.contains { $0.name == ancestor.name } && ancestor.request != nil
        }
    }
}
