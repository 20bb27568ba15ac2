import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugManifest
import PlugNormalise
import Synchronization

/// One stream of a plug, with the service that it is tested against.
struct SimulatedWorld: Sendable {
    let manifest: Manifest
    let family: StreamFamily
    let material: Material?
    let content: SimulatedService.Content
    let tokens: SimulatedTokens
    /// The configuration, in which every secret is a canary.
    let config: JSONObject
    /// When the first run begins, in microseconds since 1970.
    let now: Int64
    /// Why no pages are simulated; `nil` if they are.
    let reason: String?

    var stream: PlugManifest.Stream { family.stream }

    /// - Parameter keepsSecrets: Whether the secrets are the fixture's, because nothing else can be sent.
    init(_ manifest: Manifest, _ family: StreamFamily, _ material: Material, keepsSecrets: Bool) throws(PlugError) {
        let config = keepsSecrets ? material.config : Self.canaries(material.config, manifest)
        // Simulated records are read up to their present, wherever the manifest would end.
        self.manifest = Self.withoutEnds(try manifest.choosing(config))
        self.family = family
        self.material = material
        self.config = config
        // Later than all that is recorded, so that every request covers at least the last hundred days.
        now = material.cassette.now + 100 * 86_400_000_000
        tokens = SimulatedTokens(
            self.manifest.authorization,
            try? TemplateRoots(of: self.manifest, config: config, now: now)
        )
        do throws(NotSimulated) {
            content = .made(try MadeSource(family, material, config: manifest.withoutSecrets(config), now: now))
            reason = nil
        } catch {
            content = .recorded
            reason = error.reason
        }
    }

    private static func withoutEnds(_ manifest: Manifest) -> Manifest {
        let streams = manifest.streams.map { stream in
            guard var since = stream.since, since.to != nil else { return stream }
            since.to = nil
            return stream.replacing(since: since)
        }
        return manifest.replacing(streams: streams)
    }

    private static func canaries(_ config: JSONObject, _ manifest: Manifest) -> JSONObject {
        var config = config
        for field in manifest.config where field.isSecret && field.type == .string && field.choices.isEmpty {
            let key = JSONString(field.name)
            if config[key].map({ !$0.isNull }) ?? false { config[key] = .text("canary-\(field.name)-7d3a95") }
        }
        return config
    }

    /// The texts that no output may show.
    var secrets: [String] {
        let values = manifest.config.filter(\.isSecret).compactMap { config[JSONString($0.name)] }
        let given = values.map { $0.stringText ?? $0.compactText }.filter { $0.utf8.count >= 8 }
        guard case .oauth2 = manifest.authorization else { return given }
        return given + (1...4).flatMap { [SimulatedTokens.access($0), SimulatedTokens.refresh($0)] } + [
            SimulatedTokens.client
        ]
    }
}

/// The result of a run against a simulated service.
struct SimulatedRun: Sendable {
    /// The records in order, including earlier ones.
    var records: [RecordProbe.Entry] = []
    /// The error that ended it early.
    var error: PlugError?
    /// Warnings, and the reasons of records that do not fit.
    var told: [String] = []
    /// How many records do not fit.
    var misfits = 0
    /// How many pages the fetcher gave.
    var pages = 0
    /// The states to continue from.
    var states: [String: StreamState] = [:]
    /// Whether the pass was completed.
    var isComplete = false

    /// The records by what identifies them in a run, each once.
    func ledger(_ stream: PlugManifest.Stream) -> [[UInt8]: [UInt8]] {
        Dictionary(records.map { (Self.name($0, stream), $0.bytes) }) { first, _ in first }
    }

    /// Records with the identity of another one and different content.
    func conflicts(_ stream: PlugManifest.Stream) -> [RecordProbe.Entry] {
        let ledger = ledger(stream)
        return records.filter { ledger[Self.name($0, stream)] != $0.bytes }
    }

    static func name(_ entry: RecordProbe.Entry, _ stream: PlugManifest.Stream) -> [UInt8] {
        stream.options.hasIdentity && stream.declaresVersion ? entry.identity : entry.bytes
    }

    /// How a reading differs from an undisturbed one; `nil` if it does not.
    static func difference(_ expected: [[UInt8]: [UInt8]], _ found: [[UInt8]: [UInt8]]) -> String? {
        let missing = expected.keys.count { found[$0] == nil }
        if missing > 0 { return "\(missing.counted("record")) missing" }
        let changed = expected.count { found[$0.key] != $0.value }
        if changed > 0 { return "\(changed.counted("record")) with other contents" }
        return found.count == expected.count
            ? nil : "\((found.count - expected.count).counted("record")) too many"
    }

    /// All of its messages.
    var output: [String] { told + [error.map { "\($0.description)" }].compactMap(\.self) }
}

/// States that are kept in memory.
struct KeptStates: StreamStates {
    let states: [String: StreamState]
    func state(of part: String) async throws -> StreamState? { states[part] }
}

extension SimulatedWorld {
    /// Runs the stream: the fetcher and the normaliser of a run.
    ///
    /// - Parameter pageLimit: The number of pages after which it is killed.
    func run(
        _ service: SimulatedService,
        clock: ReplayClock,
        from states: [String: StreamState] = [:],
        pageLimit: Int? = nil
    ) async throws -> SimulatedRun {
        var run = SimulatedRun()
        run.states = states
        let told = Mutex<[String]>([])
        do {
            let fetcher = try DeclarativeFetcher(
                manifest: manifest,
                config: config,
                transport: service,
                clock: clock,
                options: try options(),
                observer: { event in
                    if case .warning(_, let message) = event.kind { told.withLock { $0.append(message) } }
                }
            )
            let stream = stream
            guard let normaliser = Normaliser(stream, config: manifest.withoutSecrets(config)) else { return run }
            run = try await fetcher.withReader(of: stream.name, from: KeptStates(states: states)) { reader in
                try await Self.read(reader, normaliser, run, pageLimit)
            }
        } catch let error as PlugError {
            if error.code == .interrupted { throw error }
            run.error = error
        }
        run.told += told.withLock { $0 }
        return run
    }

    static func read(
        _ reader: any PageReader,
        _ normaliser: Normaliser,
        _ start: SimulatedRun,
        _ pageLimit: Int?
    ) async throws -> SimulatedRun {
        var run = start
        var answer = AnswerRecords()
        do {
            while pageLimit.map({ run.pages < $0 }) ?? true, let page = try await reader.next() {
                let normalised = try normaliser.normalise(page, among: &answer)
                run.pages += 1
                run.misfits += normalised.deadLetters.count
                run.told += normalised.deadLetters.map { "[\($0.code)] \($0.reason)" }
                let block = normalised.block
                for (index, entry) in block.entries.enumerated() {
                    let bytes = Array(block.bytes[entry.range])
                    run.records.append(
                        RecordProbe.Entry(
                            identity: entry.identity.isEmpty ? bytes : Array(block.identities[entry.identity]),
                            thing: entry.identity.isEmpty ? bytes : Array(block.unversionedIdentity(index)),
                            bytes: bytes
                        )
                    )
                }
                run.states.merge(page.states) { $1 }
                run.isComplete = page.endsPass
                if page.endsPass { break }
            }
        } catch let error as PlugError {
            if error.code == .interrupted { throw error }
            // What came before the error is delivered.
            run.error = error
        }
        return run
    }

    private func options() throws(PlugError) -> FetchOptions {
        var options = FetchOptions(concurrency: 1)
        options.streams = [stream.name]
        if family.carrier.since?.window != nil, case .made(let source) = content {
            // A pass from the beginning of time would request hundreds of empty windows.
            options.firstDay = Timestamp(seconds: source.end.seconds - 13 * 86_400).date
        }
        let client = ClientIdentity(id: "conformance-client", secret: Secret(SimulatedTokens.client))
        options.clients = Dictionary(manifest.authorization.providers.map { ($0, client) }) { first, _ in first }
        if case .oauth1 = manifest.authorization.consent { options.accessToken = Secret(SimulatedTokens.access(1)) }
        guard case .oauth2(let settings) = manifest.authorization else { return options }
        let connection = ConnectionID("conformance")
        options.connection = connection
        var grant = ReplayedGrant()
        grant.accessToken = SimulatedTokens.access(1)
        grant.refreshToken = settings.grant.refreshes ? SimulatedTokens.refresh(1) : nil
        grant.values = material?.cassette.grant?.values ?? [:]
        options.grants = try grant.vault(
            of: manifest,
            config: config,
            connection,
            now: now,
            clients: options.clients,
            path: material?.cassette.path ?? ""
        )
        return options
    }
}

extension SimulatedWorld {
    /// Whether requests for the stream's pages carry a token that the run asks for.
    var sendsToken: Bool {
        guard family.carrier.authorization == nil else { return false }
        switch manifest.authorization {
        case .oauth2, .login: return true
        case .none, .bearer, .basic, .keys, .sign, .oauth1, .aws, .anyOf: return false
        }
    }

    /// Whether they are authenticated at all.
    var sendsCredentials: Bool {
        if case .none = family.carrier.authorization ?? manifest.authorization { return false }
        return true
    }
}
