internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugNormalise

/// A run that reads and normalises, shows what would be delivered, and keeps nothing.
struct DryRun {
    let request: RunRequest
    let fetcher: any Fetcher
    let redactor: Redactor
    let observer: @Sendable (RunEvent) -> Void

    /// The minimum number of records for a finding that could be chance: a trial reports on the few that it reads.
    private var enough: Int { request.trial == nil ? RecordFindings.enoughOfARun : 1 }

    /// Shows the records of one stream.
    ///
    /// - Parameter counts: What was read; complete even if an error ends it.
    /// - Throws: The errors that the source, the programs or the records of a run would throw.
    func show(_ stream: Stream, _ counts: inout StreamCounts) async throws {
        let config = request.manifest.withoutSecrets(request.config)
        guard let path = stream.path, var normaliser = Normaliser(stream, config: config) else { return }
        let hidden = stream.hidden
        var repeats = DryRunRepeats()
        var answer = AnswerRecords()
        var keys = SharedKeys()
        var findings = RecordFindings()
        var columns = ColumnSurvey(hiding: request.trial?.reveals == true ? HiddenMembers() : hidden)
        var pairs = request.trial.map { TrialPairs(stream, normaliser, $0, redactor) }
        do {
            try await fetcher.withReader(of: stream.name, from: NoStates()) { reader in
                while let page = try await reader.next() {
                    if normaliser.stream.key.isEmpty, !page.key.isEmpty,
                        let keyed = Normaliser(stream.keyed(by: page.key), config: config)
                    {
                        normaliser = keyed
                        pairs?.take(keyed)
                    }
                    for record in try pairs?.next(page) ?? [] { observer(.tried(stream: stream.name, record)) }
                    let normalised = try normaliser.normalise(page, among: &answer)
                    counts.add(page, normalised)
                    findings.add(normalised.findings)
                    for letter in normalised.deadLetters {
                        let message = "stream '\(stream.name)': \(letter.reason)"
                        observer(.warning(code: RecordCodes.code(of: letter), message: message))
                    }
                    let deletions = Set(normalised.deletions)
                    for (index, entry) in normalised.block.entries.enumerated() {
                        let bytes = Array(normalised.block.bytes[entry.range])
                        if !deletions.contains(index) {
                            columns.add(bytes)
                            if stream.version != nil { keys.note(index, of: normalised.block) }
                        }
                        if repeats.isRepeat(index, of: normalised.block) {
                            counts.known += 1
                            counts.undelivered -= 1
                            continue
                        }
                        observer(.record(stream: stream.name, path: path.description, bytes: hidden.shown(bytes)))
                    }
                    counts.conflicts = repeats.conflicts.count
                    observer(.counts(stream: stream.name, counts))
                    if page.endsPass { break }
                }
            }
        } catch {
            // Findings from the records before the error may explain it.
            tell(findings, columns, keys, of: stream)
            throw error
        }
        tell(findings, columns, keys, of: stream)
        let versionFault = findings.versionFault(stream, enough: enough)
        if let error = repeats.conflicts.error(in: stream, redactor) ?? versionFault { throw error }
    }

    private func tell(_ findings: RecordFindings, _ columns: ColumnSurvey, _ keys: SharedKeys, of stream: Stream) {
        observer(.columns(stream: stream.name, columns.without(secretsOf: redactor)))
        let faults = findings.warnings(stream, in: request.manifest, enough: enough)
        let others = [keys.fault(stream, redactor), columns.nullFault(stream, enough: max(2, enough))]
        for fault in faults + others.compactMap(\.self) {
            observer(.warning(code: fault.code, message: fault.message))
        }
    }
}

/// The fates of the first records of a stream, one by one.
private struct TrialPairs {
    private let stream: Stream
    private var normaliser: Normaliser
    private let trial: Trial
    private let redactor: Redactor
    private var answer = AnswerRecords()
    private var count = 0

    init(_ stream: Stream, _ normaliser: Normaliser, _ trial: Trial, _ redactor: Redactor) {
        (self.stream, self.normaliser, self.trial, self.redactor) = (stream, normaliser, trial, redactor)
    }

    /// Continues with another normaliser: the source has said what identifies its records.
    mutating func take(_ normaliser: Normaliser) { self.normaliser = normaliser }

    /// The records of the next page, up to the number to be reported.
    ///
    /// - Throws: `PlugError.interrupted`; any other fault of a record becomes the reason why it is not delivered.
    mutating func next(_ page: FetchedPage) throws(PlugError) -> [TriedRecord] {
        var records: [TriedRecord] = []
        for (at, source) in page.records.prefix(max(0, trial.records - count)).enumerated() {
            var single = page
            single.records = [source]
            single.broken = []
            single.groups = []
            // If equal records are counted, they are counted within one answer.
            single.preceding += at
            records.append(try tried(source.value, single))
        }
        count += records.count
        return records
    }

    private mutating func tried(_ source: JSONValue, _ page: FetchedPage) throws(PlugError) -> TriedRecord {
        let isHidden = !stream.hidden.isEmpty && !trial.reveals
        // It is unknown which members of the source's record become the hidden ones.
        let shown = isHidden ? .text(HiddenMembers.mark) : source.without(secretsOf: redactor)
        do throws(PlugError) {
            // Each record is judged on its own.
            answer.failures = 0
            let normalised = try normaliser.normalise(page, among: &answer)
            if let entry = normalised.block.entries.first {
                let bytes = Array(normalised.block.bytes[entry.range])
                let record = (try? JSONValue(parsing: isHidden ? stream.hidden.shown(bytes) : bytes)) ?? .null
                return TriedRecord(source: shown, delivered: record.without(secretsOf: redactor))
            }
            let letter = normalised.deadLetters.first
            let reason = letter.map { "[\($0.code)] \($0.reason)" } ?? "dropped by the manifest"
            return TriedRecord(source: shown, reason: redactor.shown(reason))
        } catch {
            if error.exit == .interrupted { throw error }
            return TriedRecord(source: shown, reason: redactor.shown("[\(error.code)] \(error.message)"))
        }
    }
}
