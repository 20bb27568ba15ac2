import CurlTransport
import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import PlugNormalise

/// One fixture: the plug reads a stored conversation, and its records are compared with the golden file.
struct FixtureCase {
    private let manifest: Manifest
    private let name: String
    private let path: String

    init(_ manifest: Manifest, folder: String, file: String) {
        self.manifest = manifest
        name = "fixtures/\(file)"
        path = "\(folder)/fixtures/\(file)"
    }

    /// - Parameter findings: Collects what the records of each stream show about the manifest.
    func run(updates: Bool, findings: inout [String: RecordFindings]) async throws -> PlugTestReport.Case {
        var redactor = SecretRedactor(manifest, JSONObject())
        do {
            let cassette = try Cassette.load(path)
            redactor = SecretRedactor(manifest, cassette.config)
            let config = try cassette.answers(for: manifest)
            let replayed = try await FixtureReplay(manifest, cassette, config).run(findings: &findings)
            return try compare(replayed, Golden(fixture: path, of: manifest), redactor, updates: updates)
        } catch let error as PlugError {
            var result = PlugTest.failed(name, error)
            result.message = result.message.map(redactor.shown)
            return result
        }
    }

    private func compare(
        _ replayed: Replayed,
        _ golden: Golden,
        _ redactor: SecretRedactor,
        updates: Bool
    ) throws(PlugError) -> PlugTestReport.Case {
        let count = replayed.records.count.counted("record")
        if updates {
            guard try golden.write(replayed) else { return .init(name, .fixture, .ok, message: count) }
            return .init(name, .fixture, .updated, message: "wrote \(count) to \(golden.path)")
        }
        try golden.check(replayed)
        return .init(name, .fixture, .ok, message: count)
    }
}

/// A record produced by a replay.
struct ReplayedRecord: Sendable, Equatable {
    /// `namespace/endpoint`.
    var path: String
    /// Its canonical form.
    var bytes: [UInt8]

    /// Its line in a golden file, without the line break.
    var line: [UInt8] {
        var line = Array(#"{"data":"#.utf8) + bytes + Array(#","endpoint":"#.utf8)
        JSONText.appendQuoted(path, to: &line)
        line.append(UInt8(ascii: "}"))
        return line
    }
}

/// The result of a replay.
struct Replayed: Sendable, Equatable {
    /// The records in the order of delivery.
    var records: [ReplayedRecord] = []
    /// Where the streams that have a cursor would continue, in the order in which they were read.
    var cursors: [ReplayedCursor] = []
}

/// Takes a plug through a stored conversation: the fetcher and the normaliser of a run, with nothing after them.
struct FixtureReplay {
    private let manifest: Manifest
    private let cassette: Cassette
    private let config: JSONObject

    init(_ manifest: Manifest, _ cassette: Cassette, _ config: JSONObject) {
        self.manifest = manifest
        self.cassette = cassette
        self.config = config
    }

    /// The records in the order of delivery.
    ///
    /// - Throws: `PlugError` if the conversation differed, a record does not fit, or reading failed.
    func records(through sender: (any HTTPSending)? = nil) async throws -> [ReplayedRecord] {
        var findings: [String: RecordFindings] = [:]
        return try await run(through: sender, findings: &findings).records
    }

    /// Reads the conversation to its end.
    ///
    /// - Parameter findings: Collects what the records of each stream show about the manifest.
    func run(
        through sender: (any HTTPSending)? = nil,
        findings: inout [String: RecordFindings]
    ) async throws -> Replayed {
        let transport = ReplayTransport(cassette)
        let options = try options()
        let fetcher = try fetcher(through: sender ?? transport, options: options)
        do { try await checkAccount(sender ?? transport, options) } catch let error as PlugError {
            throw transport.mismatch ?? error
        }
        var replayed = Replayed()
        var hasFailed = false
        for stream in manifest.streams where !hasFailed && cassette.stream.map({ $0 == stream.name }) ?? true {
            var states: [String: StreamState] = [:]
            defer { if let cursor = ReplayedCursor(stream.name, states) { replayed.cursors.append(cursor) } }
            do {
                try await read(
                    stream,
                    fetcher,
                    &findings[stream.name, default: RecordFindings()],
                    &states,
                    into: &replayed.records
                )
            } catch let error as PlugError {
                if let mismatch = transport.mismatch { throw mismatch.inStream(stream.name) }
                guard let failure = cassette.failure else { throw error.quoted.inStream(stream.name) }
                try check(error.inStream(stream.name), failure)
                hasFailed = true
            }
        }
        if sender == nil, let unasked = transport.unasked { throw unasked }
        if let failure = cassette.failure, !hasFailed {
            throw wrongEnd(failure, "reading ended without an error", "remove 'fails', or correct the answers")
        }
        return replayed
    }

    /// A fetcher in the state in which the conversation begins.
    func fetcher(
        through sender: any HTTPSending,
        clock: ReplayClock? = nil,
        options: FetchOptions? = nil
    ) throws(PlugError) -> DeclarativeFetcher {
        let chosen: FetchOptions
        if let options { chosen = options } else { chosen = try self.options() }
        return try DeclarativeFetcher(
            manifest: manifest,
            config: config,
            transport: sender,
            clock: clock ?? ReplayClock(cassette.now),
            options: chosen
        )
    }

    private func options() throws(PlugError) -> FetchOptions {
        var options = FetchOptions(pageLimit: cassette.pages, concurrency: 1)
        // Requests that read ahead of the last page would be made in one replay and not in the next.
        options.readsAhead = cassette.pages == nil
        if let name = cassette.stream, manifest.readsArchivesOnly([name]) {
            options.streams = [name]
            return options
        }
        if let grant = cassette.grant {
            let connection = ConnectionID("fixture")
            options.connection = connection
            options.clients = ReplayedGrant.clients(of: manifest)
            options.grants = try grant.vault(
                of: manifest,
                config: config,
                connection,
                now: cassette.now,
                path: cassette.path
            )
        } else {
            // Most tests need no consent, and what a service replies to one is not a record. A login is a request like others.
            options.accessToken = Secret("fixture")
            options.clients = ReplayedGrant.clients(of: manifest)
        }
        return options
    }

    /// Asks for the account's name, and compares it with the account that the fixture names.
    private func checkAccount(_ transport: any HTTPSending, _ options: FetchOptions) async throws {
        guard let expected = cassette.account else { return }
        let place = cassette.places["check"].map { "\(cassette.path):\($0)" } ?? cassette.path
        guard let check = manifest.check else {
            throw PlugError(
                .fixtureInvalid,
                "\(place): the plug '\(manifest.id)' has no 'check'",
                advice: "remove 'check' from the fixture"
            )
        }
        let clock = ReplayClock(cassette.now)
        let probe = AccountProbe(manifest: manifest, config: config, transport: transport, clock: clock)
        let account = try await probe.account(check, options)
        guard account != expected else { return }
        func shown(_ account: String?) -> String { account.map { "'\(DisplayText.escaped($0))'" } ?? "none" }
        throw PlugError(
            .fixtureAccount,
            "\(place): expected the account \(shown(expected)), got \(shown(account))",
            advice: "correct 'check' in the fixture, or 'check.who' in the manifest"
        )
    }

    /// Compares an error with the one that the fixture expects.
    private func check(_ error: PlugError, _ failure: Cassette.Failure) throws(PlugError) {
        let error = error.quoted
        let says = failure.says.map { error.message.contains($0) } ?? true
        guard error.code.text != failure.code || !says else { return }
        throw wrongEnd(
            failure,
            "reading ended with [\(error.code)] \(error.message)",
            "correct 'fails' or the manifest"
        )
    }

    private func wrongEnd(_ failure: Cassette.Failure, _ end: String, _ help: String) -> PlugError {
        let place = cassette.places["fails"].map { "\(cassette.path):\($0)" } ?? cassette.path
        let words = failure.says.map { " with '\(DisplayText.escaped($0))'" } ?? ""
        let expected = "[\(DisplayText.escaped(failure.code))]\(words)"
        return PlugError(.fixtureFails, "\(place): expected the error \(expected), but \(end)", advice: help)
    }

    private func read(
        _ stream: PlugManifest.Stream,
        _ fetcher: DeclarativeFetcher,
        _ findings: inout RecordFindings,
        _ states: inout [String: StreamState],
        into records: inout [ReplayedRecord]
    ) async throws {
        guard let path = stream.path, let normaliser = Normaliser(stream, config: manifest.withoutSecrets(config))
        else { return }
        var answer = AnswerRecords()
        // A repeated record is delivered once, as in a run.
        var met: [[UInt8]: [UInt8]] = [:]
        var found: Set<ArraySlice<UInt8>> = []
        for pass in 0..<cassette.passes {
            let known = met
            try await fetcher.withReader(of: stream.name, from: KeptStates(states: states)) { reader in
                while let page = try await reader.next() {
                    let normalised = try normaliser.normalise(page, among: &answer)
                    if let letter = normalised.deadLetters.first {
                        throw RecordExcerpt(letter, of: stream).misfit(normalised.deadLetters.count, page)
                    }
                    findings.add(normalised.findings)
                    found.formUnion(normalised.block.entries.indices.map { normalised.block.unversionedIdentity($0) })
                    for entry in normalised.block.entries {
                        let bytes = Array(normalised.block.bytes[entry.range])
                        let identity = Self.identity(stream, normalised.block, entry, bytes)
                        // What an earlier pass has delivered, a later one does not check.
                        if pass > 0, known[identity] != nil { continue }
                        if let earlier = met.updateValue(bytes, forKey: identity) {
                            if earlier != bytes { throw Self.conflict(stream, normalised.block, entry, page) }
                            continue
                        }
                        records.append(ReplayedRecord(path: path.description, bytes: bytes))
                    }
                    states.merge(page.states) { $1 }
                    if page.endsPass { break }
                }
            }
        }
        records += missing(stream, found).map { ReplayedRecord(path: path.description, bytes: $0) }
    }

    /// The deletions of everything that the previous pass found and this one did not, however many.
    private func missing(_ stream: PlugManifest.Stream, _ found: Set<ArraySlice<UInt8>>) -> [[UInt8]] {
        (cassette.before[stream.name] ?? []).compactMap { text in
            let identity = Array(text.utf8)
            return found.contains(RecordBlock.unversioned(identity[...])) ? nil : DeletionRecord(of: identity).bytes
        }
    }

    /// What identifies a record: its `_id`, and its content if the manifest does not mention versions.
    private static func identity(
        _ stream: PlugManifest.Stream,
        _ block: RecordBlock,
        _ entry: RecordBlock.Entry,
        _ bytes: [UInt8]
    ) -> [UInt8] {
        stream.options.hasIdentity && stream.declaresVersion ? Array(block.identities[entry.identity]) : bytes
    }

    private static func conflict(
        _ stream: PlugManifest.Stream,
        _ block: RecordBlock,
        _ entry: RecordBlock.Entry,
        _ page: FetchedPage
    ) -> PlugError {
        let whole = String(decoding: block.identities[entry.identity].prefix(100), as: UTF8.self)
        let identity = stream.hidden.shown(identity: whole)
        return PlugError(
            .idConflict,
            "\(stream.places["key"]): a record of \(page.origin) has the same _id as another one but different "
                + "contents: '\(DisplayText.escaped(identity))'",
            advice: "choose a 'key' that no two records share, and a 'version' that changes when a record changes"
        )
    }
}
