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

    /// Shows the records of one stream.
    ///
    /// - Parameter counts: What was read; whole also where an error ends it.
    /// - Throws: What the source, the programs or the records of a run would throw.
    func show(_ stream: Stream, _ counts: inout StreamCounts) async throws {
        let config = request.manifest.withoutSecrets(request.config)
        guard let path = stream.path, let normaliser = Normaliser(stream, config: config) else { return }
        let hidden = stream.hidden
        var repeats = DryRunRepeats()
        var equal = EqualRecords()
        var findings = RecordFindings()
        try await fetcher.withReader(of: stream.name, from: NoStates()) { reader in
            while let page = try await reader.next() {
                let normalised = try normaliser.normalise(page, among: &equal)
                counts.add(page, normalised)
                findings.add(normalised.findings)
                for letter in normalised.deadLetters {
                    let message = "stream '\(stream.name)': \(letter.reason)"
                    observer(.warning(code: RecordCodes.code(of: letter), message: message))
                }
                for (index, entry) in normalised.block.entries.enumerated() {
                    if repeats.isRepeat(index, of: normalised.block) {
                        counts.known += 1
                        counts.undelivered -= 1
                        continue
                    }
                    let bytes = hidden.shown(Array(normalised.block.bytes[entry.range]))
                    observer(.record(stream: stream.name, path: path.description, bytes: bytes))
                }
                observer(.counts(stream: stream.name, counts))
                if page.endsPass { break }
            }
        }
        for fault in findings.warnings(stream, in: request.manifest) {
            observer(.warning(code: fault.code, message: fault.message))
        }
        let versionFault = findings.versionFault(stream, enough: RecordFindings.enoughOfARun)
        if let error = repeats.conflicts.error(in: stream, redactor) ?? versionFault { throw error }
    }
}
