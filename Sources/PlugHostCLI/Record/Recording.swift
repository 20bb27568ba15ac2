internal import CurlTransport
internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import PlugTesting
internal import Throttling

/// Records a conversation with a source, and makes a fixture of it that reveals nothing about the person.
struct Recording {
    let plug: LivePlug
    let stream: String?
    let pages: Int
    /// Members that are kept unchanged.
    let kept: Set<String>
    let trace: RequestTrace?
    let talk: RunTalk

    /// A fixture that was tried, and the result.
    struct Result {
        var cassette: [UInt8]
        var golden: [UInt8]
        var exchanges: Int
        var records: Int
        /// Names of members that were replaced.
        var replacedNames: [String]
        /// What was done with the values.
        var tally: PlaceholderTally
        /// Whether days are unchanged, because the manifest counts from a fixed one.
        var keepsDays: Bool
    }

    private struct Live {
        var exchanges: [RecordedExchange]
        var redactor: Redactor
        var isWhole: Bool
        var start: Int64
    }

    /// Reads the source, and makes the fixture.
    ///
    /// - Parameter name: The fixture's name.
    /// - Throws: `PlugError`: the errors of reading the source, and `record-…`.
    func make(_ name: String) async throws -> Result {
        let live = try await read()
        let exchanges = Self.conversation(live.exchanges, of: plug.manifest)
        let secrets = LiveSecrets(
            plug.manifest,
            config: plug.config,
            clients: plug.clients,
            redactor: live.redactor,
            live.exchanges
        )
        let values = try await grantValues()
        var failure: PlugError?
        for width in TimeShift.Width.allCases where width == .minutes || !plug.manifest.beginsAfter(live.start) {
            do throws(PlugError) {
                return try await make(name, live, exchanges, secrets, values, width)
            } catch {
                guard error.code == .recordDiverged || error.code == .recordUnusable else { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? PlugError(.recordUnusable, "nothing could be recorded")
    }

    private func make(
        _ name: String,
        _ live: Live,
        _ exchanges: [RecordedExchange],
        _ secrets: LiveSecrets,
        _ values: [String: String],
        _ width: TimeShift.Width
    ) async throws(PlugError) -> Result {
        let chance = PlaceholderChance(plug.clock)
        let placeholders = Placeholders(
            plug.manifest,
            keeping: kept,
            secrets: secrets.all.map(\.value),
            times: TimeShift(width, chance),
            chance
        )
        _ = try clean(exchanges, values, placeholders)
        placeholders.choose()
        let clean = try clean(exchanges, values, placeholders)
        let now = placeholders.times.shifted(live.start)
        let rehearsal = Rehearsal(
            manifest: plug.manifest,
            config: clean.config,
            answers: clean.answers,
            recorded: exchanges.map(\.request),
            stream: stream,
            pages: pages,
            now: now,
            grantValues: clean.grantValues
        )
        let requests = try await rehearsal.requests()
        let cassette = CassetteText(
            config: clean.config,
            stream: stream,
            now: now,
            pages: live.isWhole ? nil : pages,
            grantValues: clean.grantValues,
            exchanges: Array(zip(requests, clean.answers)),
            again: try await rehearsal.requests()
        ).bytes
        let search = SecretSearch(secrets.all)
        // Before any of it is written to a disk, even for a moment.
        try Self.check(cassette, search, name)
        let golden = try await RecordingTrial(manifest: plug.manifest, name: name).golden(of: cassette)
        for line in golden.split(separator: UInt8(ascii: "\n")) { try Self.check(Array(line), search, name) }
        return Result(
            cassette: cassette,
            golden: golden,
            exchanges: requests.count,
            records: golden.split(separator: UInt8(ascii: "\n")).count { $0.starts(with: Self.recordStart) },
            replacedNames: placeholders.replacedNames.sorted(),
            tally: placeholders.tally,
            keepsDays: width == .minutes
        )
    }

    private func read() async throws -> Live {
        let clock = RecordingClock(plug.clock)
        let recorder = RecordingTransport(plug.sender)
        let throttling = RequestThrottling(notes: nil, transport: recorder, clock: clock)
        var options = FetchOptions(pageLimit: pages, concurrency: 1)
        options.readsAhead = false
        options.clients = plug.clients
        options.grants = plug.grants
        options.accessToken = plug.accessToken
        options.connection = plug.grants == nil ? nil : plug.connection.map { ConnectionID($0) }
        let talk = talk
        let fetcher = try DeclarativeFetcher(
            manifest: plug.manifest,
            config: plug.config,
            transport: throttling.transport,
            clock: clock,
            limits: throttling.limits,
            options: options
        ) { talk.note(.fetch($0)) }
        trace?.use(fetcher.redactor)
        let read: (records: Int, isWhole: Bool)
        do {
            read = try await LiveStreams(manifest: plug.manifest, stream: stream).read(from: fetcher)
        } catch var error as PlugError {
            if recorder.isFull { throw Self.tooLarge }
            error.advice = plug.advice(error) ?? error.advice
            throw error.quoted
        }
        if recorder.isFull { throw Self.tooLarge }
        guard read.records > 0 else {
            throw PlugError(
                .recordEmpty,
                "the source gave no records",
                advice: "check the configuration, or choose another stream"
            )
        }
        return Live(
            exchanges: recorder.exchanges,
            redactor: fetcher.redactor,
            isWhole: read.isWhole,
            start: clock.start
        )
    }

    /// The start of a record's line in a golden file.
    private static let recordStart = Array(#"{"data":"#.utf8)

    private static let tooLarge = PlugError(
        .recordLarge,
        "the answers are larger than \(RecordingTransport.limit >> 20) MiB",
        advice: "read fewer pages with --pages, or one stream with --stream"
    )

    /// The exchanges that a replay has too: there, a consent's tokens are given, and none are requested.
    private static func conversation(_ exchanges: [RecordedExchange], of manifest: Manifest) -> [RecordedExchange] {
        guard manifest.authorization.mayConsent else { return exchanges }
        return exchanges.enumerated().compactMap { at, exchange in
            if isTokenRequest(exchange.request) { return nil }
            // A request refused for its token was repeated with another one.
            let isRefused =
                exchange.status == 401 && exchanges.dropFirst(at + 1).contains { isTokenRequest($0.request) }
            return isRefused ? nil : exchange
        }
    }

    private static func isTokenRequest(_ request: HTTPRequest) -> Bool {
        guard let body = request.body else { return false }
        let names: [String]
        if let object = try? JSONValue(parsing: body).object {
            names = object.keys.map(\.text)
        } else {
            names = (FormText.decode(String(decoding: body, as: UTF8.self)) ?? []).map(\.name)
        }
        return names.contains("grant_type") || names.contains("refresh_token")
    }

    /// What was kept of the token response: addresses are built from it.
    private func grantValues() async throws -> [String: String] {
        guard let grants = plug.grants, let connection = plug.connection else { return [:] }
        let id = GrantID(connection: ConnectionID(connection), name: KeptGrant.consent)
        guard let stored = try await grants.grant(id), let kept = try? KeptGrant(stored.content) else { return [:] }
        return kept.grant.values
    }

    private typealias Clean = (config: JSONObject, grantValues: [String: String], answers: [CleanAnswer])

    /// One pass over everything.
    private func clean(
        _ exchanges: [RecordedExchange],
        _ grantValues: [String: String],
        _ placeholders: Placeholders
    ) throws(PlugError) -> Clean {
        let config = placeholders.config(plug.config, of: plug.manifest)
        let values = grantValues.mapValues { placeholders.text($0) }
        var answers: [CleanAnswer] = []
        for (number, exchange) in exchanges.enumerated() {
            let type = exchange.headers.first("content-type")?.lowercased() ?? ""
            guard let body = placeholders.body(exchange.body, type: type) ?? recoded(exchange.body, type, placeholders)
            else {
                throw PlugError(
                    .recordBinary,
                    "the answer to request \(number + 1) is not text, so it cannot be searched for names and secrets",
                    advice: "leave that stream out with --stream, and write its fixture by hand"
                )
            }
            let headers = placeholders.headers(exchange.headers, status: exchange.status)
            answers.append(CleanAnswer(status: exchange.status, headers: headers, body: body))
        }
        return (config, values, answers)
    }

    /// A body in a declared encoding, which the fixture has in UTF-8.
    private func recoded(_ bytes: [UInt8], _ type: String, _ placeholders: Placeholders) -> CleanBody? {
        guard let text = RecordedText(plug.manifest).utf8(bytes, type: type),
            case .text(let clean)? = placeholders.body(text, type: type)
        else { return nil }
        return .text(RecordedText.mark + clean)
    }

    private static func check(_ bytes: [UInt8], _ search: SecretSearch, _ name: String) throws(PlugError) {
        guard let found = search.first(in: bytes) else { return }
        throw PlugError(
            .recordSecret,
            "the fixture '\(name)' would hold a secret of this run: \(found.name), \(found.form). Nothing was written",
            advice: "if --keep names the member that holds it, drop that --keep"
        )
    }
}

extension Manifest {
    /// Whether a stream begins at a fixed day that, some years earlier, would still be to come.
    fileprivate func beginsAfter(_ start: Int64) -> Bool {
        streams.contains { stream in
            guard let from = stream.since?.from, from.isConstant, let day = Timestamp(from.source) else { return false }
            return day.microseconds > start - TimeShift.widest
        }
    }
}

extension Authorization {
    /// Whether tokens come from a consent.
    fileprivate var mayConsent: Bool {
        switch self {
        case .oauth2: true
        case .anyOf(let choice): choice.alternatives.contains { $0.authorization.mayConsent }
        default: false
        }
    }
}
