import PlugCore
import PlugStorage
import Testing

@testable import PlugRuntime

/// Which batches a run sends, without any I/O: `+` is taken, `-` gets no answer, `.` is not sent.
struct OutboxTrialsTests {
    /// Sweeps over batches of which some get no answer.
    ///
    /// - Returns: What became of each, a text for each sweep.
    private func sweep(
        _ trials: inout OutboxTrials,
        _ batches: [OutboxTrialsTests.Batch],
        isDoubtful: inout Bool,
        chance: Double = 0.5,
        seconds: Int64 = 1
    ) -> String {
        trials.begin(Self.stream, batches: batches.count, isDoubtful: isDoubtful, chance: chance)
        var now: Int64 = 0
        var text = ""
        for batch in batches {
            if trials.isOutage { break }
            guard trials.wants(batch.stored, isDoubtful: isDoubtful, chance: chance) else {
                text += "."
                continue
            }
            if batch.isTaken {
                isDoubtful = false
                trials.noteAnswer()
                text += "+"
            } else {
                isDoubtful = true
                let start = now
                now += seconds * 1_000_000
                trials.noteUnanswered(
                    batch.stored.id,
                    of: batch.stored.stream,
                    isDoubtful: isDoubtful,
                    since: start,
                    now: now,
                    chance: chance
                )
                text += "-"
            }
        }
        return text
    }
    private static let stream = StreamID(connection: ConnectionID("ada"), stream: "items")

    private struct Batch {
        var stored: StoredOutboxBatch
        var isTaken: Bool
    }

    /// `+` is a batch that would be taken, `-` one that gets no answer, `m` one that got none in an earlier run either.
    private func batches(_ kinds: String) throws -> [Batch] {
        let path = try #require(DataPath(namespace: "demo", endpoint: "items"))
        return kinds.enumerated().map { index, kind in
            let batch = OutboxBatch(
                path: path,
                records: RecordBlock(),
                fingerprints: [],
                unanswered: kind == "m" ? 1 : 0
            )
            let stored = StoredOutboxBatch(id: Int64(index + 1), stream: Self.stream, at: 0, batch: batch)
            return Batch(stored: stored, isTaken: kind == "+")
        }
    }

    @Test(arguments: [
        ("++++", "++++"), ("m+m+", ".+.+"),
        // After the first failure any of those that remain is tried, here the middle one, after the second the newest one.
        ("-+++", "-.++"), ("----++++", "-...++++"), ("------+", "-...-.+"),
    ])
    func goesOnBehindWhatGetsNoAnswer(_ kinds: String, _ sent: String) throws {
        var (trials, isDoubtful) = (OutboxTrials(), false)
        #expect(sweep(&trials, try batches(kinds), isDoubtful: &isDoubtful) == sent)
    }

    @Test func afterThreeInARowNothingMoreOfTheStreamIsTried() throws {
        var (trials, isDoubtful) = (OutboxTrials(), false)
        #expect(sweep(&trials, try batches("----------"), isDoubtful: &isDoubtful) == "-....-...-")
        #expect(!trials.mayTry(Self.stream, isDoubtful: true))
        #expect(trials.mayTry(StreamID(connection: ConnectionID("ada"), stream: "others"), isDoubtful: true))
        #expect(!trials.isOutage)
        // Asked again later, one failure is enough.
        trials.askAgain()
        #expect(sweep(&trials, try batches("--------"), isDoubtful: &isDoubtful) == ".......-")
    }

    @Test func aMinuteWithoutAnAnswerIsAnOutage() throws {
        var (trials, isDoubtful) = (OutboxTrials(), false)
        #expect(sweep(&trials, try batches("--------"), isDoubtful: &isDoubtful, seconds: 150) == "-")
        #expect(trials.isOutage)
    }

    @Test func whatFailedInDoubtIsTriedAgainOnceSomethingWasTaken() throws {
        var (trials, isDoubtful) = (OutboxTrials(), false)
        #expect(sweep(&trials, try batches("-"), isDoubtful: &isDoubtful) == "-")
        #expect(isDoubtful)
        #expect(sweep(&trials, try batches("-"), isDoubtful: &isDoubtful) == ".")
        isDoubtful = false
        #expect(sweep(&trials, try batches("-"), isDoubtful: &isDoubtful) == "-")
    }

    @Test func markedBatchesAreTriedAtTheEndAndOfManyOnlySome() throws {
        var (trials, isDoubtful) = (OutboxTrials(), false)
        trials.takesMarked(of: 2)
        #expect(sweep(&trials, try batches("mm"), isDoubtful: &isDoubtful) == "--")
        #expect(!trials.isOutage)
        var many = OutboxTrials()
        many.takesMarked(of: 40)
        #expect(sweep(&many, try batches("mm"), isDoubtful: &isDoubtful, chance: 0.5) == "..")
        #expect(sweep(&many, try batches("mm"), isDoubtful: &isDoubtful, chance: 0.2) == "--")
    }
}
