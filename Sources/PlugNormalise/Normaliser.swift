internal import JQ
package import LosslessJSON
package import PlugCore
package import PlugManifest

/// Page → records: drop, map, cast, identify, and write canonical bytes. Pure: the same page gives the same block.
///
/// A class: it is shared between all runs over a stream's pages, and a copy would be some kilobytes.
package final class Normaliser: Sendable {
    /// The stream whose records it makes.
    package let stream: Stream
    private let rules: RecordRules
    private let config: JSONValue
    private let usesParent: Bool
    private let limits: JQLimits
    /// The maximum size in bytes of one page's records that do not fit: they are kept one by one.
    private static let letterLimit = 16 << 20
    /// How long the programs of all records of a page may work, in processor time: each may take ten seconds, and a page has
    /// thousands.
    static let pageTime = Duration.seconds(60)
    /// The number of records between checks for cancellation and of the time.
    private static let recordsBetweenChecks = 256

    /// A normaliser of one stream, `nil` for a stream that is read for its children only.
    ///
    /// - Parameter config: The user's answers without secrets.
    package convenience init?(_ stream: Stream, config: JSONValue) {
        self.init(stream, config: config, limits: JQLimits())
    }

    init?(_ stream: Stream, config: JSONValue, limits: JQLimits) {
        guard let path = stream.path else { return nil }
        self.limits = limits
        self.stream = stream
        rules = RecordRules(stream, path: path)
        self.config = config
        let names = stream.recordGlobals.ofParents
        usesParent = stream.recordPrograms.contains { !$0.usedGlobals.isDisjoint(with: names) }
    }

    /// Normalises a page that contains its whole answer.
    ///
    /// - Throws: As below.
    package func normalise(_ page: FetchedPage, sampled: Int = 0) throws(PlugError) -> NormalisedPage {
        var answer = AnswerRecords()
        return try normalise(page, sampled: sampled, among: &answer)
    }

    /// Normalises a page's records, in order.
    ///
    /// - Parameters:
    ///   - page: The records.
    ///   - sampled: The maximum number of records whose source members are noted.
    ///   - answer: The state of the same answer, from pages before this one.
    /// - Throws: `PlugError` with the code `records-do-not-fit` if more than half of the answer so far fails: then the manifest
    ///   is wrong, not the records; `page-too-slow` if its programs work for too long on all records together; `interrupted` if
    ///   the task is cancelled.
    package func normalise(
        _ page: FetchedPage,
        sampled: Int = 0,
        among answer: inout AnswerRecords
    ) throws(PlugError) -> NormalisedPage {
        answer.begin(page)
        let sampled = min(sampled, SourceShape.recordsPerPage)
        var result = NormalisedPage()
        var firstFailure: RecordFailure?
        let parents = usesParent ? page.parents : []
        let globals = RecordEngine.Globals(
            all: JQGlobals(stream.recordGlobals.values(parents: parents, config: config, entry: page.entry)),
            bounded: JQGlobals(
                stream.mapGlobals.values(parents: parents, config: config, bounds: page.bounds, entry: page.entry)
            )
        )
        let end = limits.clock() + Self.pageTime
        let workspace = JQWorkspace(until: end)
        var writing = BlockWriter(expected: page.records.count)
        var next = 0
        var (failures, letterBytes) = (answer.failures, 0)
        for broken in page.broken {
            let failure = RecordFailure(.recordBroken, broken.reason, key: decodingKey)
            firstFailure = firstFailure ?? failure
            failures += 1
            letterBytes += broken.record.count + 200
            let place = RecordFailure(.recordBroken, "\(page.origin): \(broken.reason)", key: decodingKey)
            result.deadLetters.append(Self.letter(place, broken.record, []))
            result.unidentified += 1
        }
        let before = page.preceding + page.broken.count
        let total = before + page.records.count
        if let firstFailure, failures * 2 > total || letterBytes > Self.letterLimit {
            answer.end(page, failures: failures)
            throw wrongManifest(firstFailure, failures, of: page, at: total)
        }
        while next < page.records.count {
            if Task.isCancelled { throw .interrupted }
            if limits.clock() >= end { throw tooSlow(page, at: next) }
            // Nearly always one document holds all records.
            let document = page.records[next].document
            let engine = RecordEngine(document, globals, limits, workspace)
            var slow: RecordFailure?
            var stop = min(next + Self.recordsBetweenChecks, page.records.count)
            document.withCursor { cursor in
                var record = RawRecord(cursor: cursor, node: 0, engine: engine)
                while next < stop, page.records[next].document === document {
                    record.node = page.records[next].node
                    switch writing.append(record, by: rules, among: &answer.equal) {
                    case .written: if result.shape.records < sampled { result.shape.add(cursor, record.node) }
                    case .deleted: break
                    case .dropped: result.dropped += 1
                    case .failed(let failure, _, _) where limits.clock() >= end:
                        // Not the fault of this record.
                        slow = failure
                        stop = next
                    case .failed(let failure, let identity, let isWhole):
                        firstFailure = firstFailure ?? failure
                        failures += 1
                        let letter = Self.letter(failure, page.records[next].slice, identity)
                        letterBytes += letter.record.count + 200
                        // More than half of the answer so far: the manifest is wrong, and the rest need not be processed.
                        if failures * 2 > total || letterBytes > Self.letterLimit {
                            stop = next
                        } else {
                            result.deadLetters.append(letter)
                            if isWhole {
                                result.identifiedLetters.append(letter.identity)
                            } else {
                                result.unidentified += 1
                            }
                        }
                    }
                    next += 1
                }
            }
            if let slow {
                if Task.isCancelled { throw .interrupted }
                throw tooSlow(page, at: next - 1, slow.key)
            }
            if answer.equal.isFull { throw tooManyKeys(page) }
            if let firstFailure, failures * 2 > total || letterBytes > Self.letterLimit {
                if Task.isCancelled { throw .interrupted }
                answer.end(page, failures: failures)
                throw wrongManifest(firstFailure, failures, of: page, at: before + next)
            }
        }
        // A program that was cut short has failed, which is not the fault of a record.
        if Task.isCancelled { throw .interrupted }
        answer.end(page, failures: failures)
        result.repaired = writing.repaired
        result.block = writing.block
        result.deletions = writing.deletions
        result.findings = writing.findings
        result.findings.dropped = result.dropped
        return result
    }

    /// The key that describes how records are encoded in an answer.
    private var decodingKey: String { stream.decoding == nil ? "records" : "decode" }

    /// What is delivered of a page that is not processed to its end.
    private static func delivered(_ page: FetchedPage) -> String {
        page.preceding == 0
            ? "nothing of this page was delivered"
            : "the answer's records before these (\(page.preceding)) are delivered, or dead letters"
    }

    private func tooManyKeys(_ page: FetchedPage) -> PlugError {
        PlugError(
            .equalLimit,
            "\(stream.places["equal"]): the answer from \(page.origin) has more than \(EqualRecords.limit) different keys, and "
                + "'equal: count' tells no more apart",
            advice: "ask for smaller answers, or choose a 'key' that no two records share, and remove 'equal'",
            stream: stream.name,
            reach: .stream
        )
    }

    /// - Parameters:
    ///   - done: How many records were processed in time.
    ///   - key: The key of the program that was running when time ran out, if known.
    private func tooSlow(_ page: FetchedPage, at done: Int, _ key: String = "") -> PlugError {
        PlugError(
            .pageTooSlow,
            "\(stream.places[key]): the programs of this stream used \(HumanDuration.text(Self.pageTime)) of processor "
                + "time, the limit for one page, on \(done) of \(page.records.count) records from \(page.origin)",
            advice: "make 'map', 'key', 'version' and 'drop_if' do less work, or ask for smaller pages; "
                + Self.delivered(page),
            stream: stream.name,
            reach: .stream
        )
    }

    private static func letter(_ failure: RecordFailure, _ record: [UInt8], _ identity: [UInt8]) -> DeadLetter {
        DeadLetter(
            stage: .normalise,
            code: failure.code.text,
            reason: failure.reason,
            record: record,
            identity: String(decoding: identity, as: UTF8.self)
        )
    }

    /// - Parameter looked: How many records were processed.
    private func wrongManifest(_ failure: RecordFailure, _ failed: Int, of page: FetchedPage, at looked: Int)
        -> PlugError
    {
        let total = page.preceding + page.broken.count + page.records.count
        return PlugError(
            .recordsDoNotFit,
            "\(stream.places[failure.key]): \(failed) of "
                + "\(looked == total ? "" : "the first \(looked) of ")"
                + "\(total) records from \(page.origin) do not fit the manifest: \(failure.reason)",
            advice: "correct the stream in the manifest and run again; \(Self.delivered(page))",
            stream: stream.name,
            reach: .item
        )
    }
}

extension FetchedPage {
    /// The raw parent records of the page's own, outermost first.
    fileprivate var parents: [JSONValue] { parent.map { ancestors + [$0.value] } ?? [] }
}
