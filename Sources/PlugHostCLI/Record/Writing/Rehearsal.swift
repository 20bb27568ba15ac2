internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugTesting
internal import Synchronization

/// Reads the plug's streams from answers with placeholders, in the recorded order, and notes the plug's requests.
///
/// So nothing of a live request gets into a fixture: its requests are derived from the manifest, the fixture's config and the
/// previous answers, and are consistent with all of them, however the plug builds them.
struct Rehearsal {
    let manifest: Manifest
    let config: JSONObject
    let answers: [CleanAnswer]
    /// The recorded requests, in the same order.
    let recorded: [HTTPRequest]
    let stream: String?
    let pages: Int
    let now: Int64
    let grantValues: [String: String]

    /// The plug's requests, one for each answer.
    ///
    /// - Throws: `PlugError` `record-diverged` if they differ from the recording, and the errors of reading the plug.
    func requests() async throws(PlugError) -> [HTTPRequest] {
        let prompter = Prompter(answers)
        var options = FetchOptions(pageLimit: pages, concurrency: 1)
        options.readsAhead = false
        options.accessToken = Secret("fixture")
        options.grantValues = grantValues
        options.clients = ReplayedGrant.clients(of: manifest)
        let fetcher = try DeclarativeFetcher(
            manifest: manifest,
            config: config,
            transport: prompter,
            clock: ReplayClock(now),
            options: options
        )
        do {
            _ = try await LiveStreams(manifest: manifest, stream: stream).read(from: fetcher)
        } catch {
            let error = RecordingTrial.ended(error)
            if error.exit == .interrupted { throw error }
            // The requests so far say more.
            try compare(prompter.requests, isWhole: false)
            throw Self.diverged("reading it again ends with an error: [\(error.code)] \(error.message)")
        }
        try compare(prompter.requests, isWhole: true)
        return prompter.requests
    }

    private func compare(_ requests: [HTTPRequest], isWhole: Bool) throws(PlugError) {
        for (number, (request, live)) in zip(requests, recorded).enumerated() {
            if let difference = Self.difference(request, live) {
                throw Self.diverged("request \(number + 1) has another form than the live one: \(difference)")
            }
        }
        if requests.count > answers.count {
            throw Self.diverged("the plug asks for more than the \(answers.count) answers that were recorded")
        }
        if isWhole, requests.count < answers.count {
            throw Self.diverged(
                "the plug asks for \(requests.count) of the \(answers.count) answers that were recorded"
            )
        }
    }

    /// How a request's form differs from the live one, without any value.
    private static func difference(_ request: HTTPRequest, _ live: HTTPRequest) -> String? {
        guard let url = try? HTTPURL(request.url), let other = try? HTTPURL(live.url) else {
            return "it is not an address"
        }
        if request.method != live.method { return "\(request.method), not \(live.method)" }
        let (depth, otherDepth) = (url.path.split(separator: "/").count, other.path.split(separator: "/").count)
        if depth != otherDepth { return "its path has \(depth) parts, not \(otherDepth)" }
        let names = Set((FormText.decode(url.query ?? "") ?? []).map(\.name))
        let otherNames = Set((FormText.decode(other.query ?? "") ?? []).map(\.name))
        let lacking = otherNames.subtracting(names).sorted().first
        // Names in a link of the service may be placeholders.
        if names.count != otherNames.count {
            return "it has \(names.count) parameters, not \(otherNames.count)"
                + (lacking.map { " ('\(DisplayText.escaped($0))')" } ?? "")
        }
        return (request.body == nil) == (live.body == nil) ? nil : "one has a body, the other does not"
    }

    private static func diverged(_ message: String) -> PlugError {
        PlugError(
            .recordDiverged,
            "with placeholders for its values, the recording can no longer be read: \(message)",
            advice:
                "a program in the manifest depends on a value that was replaced: keep its member with --keep NAME, if it says "
                + "nothing about the person"
        )
    }
}

/// An answer as written.
struct CleanAnswer: Sendable {
    var status: Int
    var headers: [HTTPHeader]
    var body: CleanBody

    /// The body's bytes.
    var bytes: [UInt8] {
        switch body {
        case .json(let value): Array(value.compactText.utf8)
        case .text(let text): Array(text.utf8)
        case .none: []
        }
    }
}

/// Returns one answer after another, whatever the request.
private final class Prompter: HTTPSending {
    private let answers: [CleanAnswer]
    private let asked = Mutex<[HTTPRequest]>([])

    init(_ answers: [CleanAnswer]) { self.answers = answers }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let url = try HTTPURL(request.url)
        let at = asked.withLock { asked in
            asked.append(request)
            return asked.count - 1
        }
        guard at < answers.count else {
            // An error that is not retried.
            throw HTTPError(.invalidRequest, "\(url.hostAndPort): the recording has no more answers")
        }
        return HTTPResponse(
            status: answers[at].status,
            headers: HTTPHeaders(answers[at].headers),
            body: JSONBuffer(answers[at].bytes),
            url: url.description
        )
    }
}

/// Reads a plug's streams one after another, only for their requests.
struct LiveStreams {
    let manifest: Manifest
    let stream: String?

    /// - Returns: The number of records, and whether all streams were read to their ends.
    func read(from fetcher: DeclarativeFetcher) async throws -> (records: Int, isWhole: Bool) {
        var (records, isWhole) = (0, true)
        for stream in manifest.streams where stream.path != nil && self.stream.map({ $0 == stream.name }) ?? true {
            try await fetcher.withReader(of: stream.name, from: NoStates()) { reader in
                var hasEnded = false
                while !hasEnded, let page = try await reader.next() {
                    records += page.records.count
                    hasEnded = page.endsPass
                }
                if !hasEnded { isWhole = false }
            }
        }
        return (records, isWhole)
    }
}
