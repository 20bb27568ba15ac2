internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugNormalise

/// What a dry run shows of one stream.
///
/// A class without a lock: only its creator uses it, and it runs in its caller's isolation.
final class StreamPreview {
    let stream: Stream
    /// What was read.
    private(set) var counts = StreamCounts()
    private let request: RunRequest
    private let redactor: Redactor
    private let observer: @Sendable (RunEvent) -> Void
    private let path: String
    private let hidden: HiddenMembers
    private var normaliser: Normaliser
    private var repeats = DryRunRepeats()
    private var answer = AnswerRecords()
    private var keys = SharedKeys()
    private var findings = RecordFindings()
    private var columns: ColumnSurvey
    private var pairs: TrialPairs?

    /// `nil` for a stream that gives no records.
    init?(
        _ stream: Stream,
        _ request: RunRequest,
        _ redactor: Redactor,
        _ observer: @escaping @Sendable (RunEvent) -> Void
    ) {
        let config = request.manifest.withoutSecrets(request.config)
        guard let path = stream.path, let normaliser = Normaliser(stream, config: config) else { return nil }
        (self.stream, self.request, self.redactor, self.observer) = (stream, request, redactor, observer)
        (self.path, self.normaliser, hidden) = (path.description, normaliser, stream.hidden)
        columns = ColumnSurvey(hiding: request.trial?.reveals == true ? HiddenMembers() : hidden)
        pairs = request.trial.map { TrialPairs(stream, normaliser, $0, redactor) }
    }

    /// The minimum number of records for a finding that could be chance: a trial reports on the few that it reads.
    private var enough: Int { request.trial == nil ? RecordFindings.enoughOfARun : 1 }

    /// Shows the records of a page.
    ///
    /// - Throws: What the programs and the records of a run would throw.
    func take(_ page: FetchedPage) throws {
        if normaliser.stream.key.isEmpty, !page.key.isEmpty,
            let keyed = Normaliser(stream.keyed(by: page.key), config: request.manifest.withoutSecrets(request.config))
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
            observer(.record(stream: stream.name, path: path, bytes: hidden.shown(bytes)))
        }
        counts.conflicts = repeats.conflicts.count(among: counts.fetched)
        observer(.counts(stream: stream.name, counts))
    }

    /// Reports what the records show: it may explain an error.
    ///
    /// - Parameter error: The one that ended the reading, if any.
    /// - Returns: It, or the error that a run would end with.
    func end(_ error: (any Error)?) -> (any Error)? {
        observer(.columns(stream: stream.name, columns.without(secretsOf: redactor)))
        let faults = findings.warnings(stream, in: request.manifest, enough: enough)
        let others = [keys.fault(stream, redactor), columns.nullFault(stream, enough: max(2, enough))]
        for fault in faults + others.compactMap(\.self) {
            observer(.warning(code: fault.code, message: fault.message))
        }
        return error ?? repeats.conflicts.error(in: stream, among: counts.fetched, redactor)
            ?? findings.versionFault(stream, enough: enough)
    }
}
