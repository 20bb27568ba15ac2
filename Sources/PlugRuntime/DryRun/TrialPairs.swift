internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugNormalise

/// The fates of the first records of a stream, one by one.
struct TrialPairs {
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
