internal import GRDB
internal import PlugCore
internal import Synchronization

/// The runs that end in one transaction. They are summed up here and added to the overviews' sums once, before it is committed:
/// most of them change the same few rows.
final class EndedRuns: Sendable {
    /// What runs have in common that change the same rows.
    private struct Kind: Hashable {
        var plug: String
        var version: String
        var hour: Int64
        var outcome: String
        var error: String?
    }

    private struct Sum {
        var runs = 0
        var tally = RunTally()
        var microseconds: Int64 = 0
        var began: ClosedRange<Int64>
    }

    private let sums = Mutex<[Kind: Sum]>([:])

    /// Forgets all of them: their transaction begins, or begins once more.
    func reset() { sums.withLock { $0 = [:] } }

    /// Adds a run that ends for the first time.
    func add(_ run: RunRow, at ended: Int64, outcome: String, tally: RunTally) {
        let kind = Kind(
            plug: run.connection.connection.plug,
            version: run.version,
            hour: SummaryHour.of(ended),
            outcome: outcome,
            error: tally.error
        )
        sums.withLock { sums in
            var sum = sums[kind] ?? Sum(began: run.at...run.at)
            sum.runs += 1
            sum.tally.requests += tally.requests
            sum.tally.records += tally.records
            sum.tally.deadLetters += tally.deadLetters
            sum.microseconds += max(0, ended - run.at)
            sum.began = min(sum.began.lowerBound, run.at)...max(sum.began.upperBound, run.at)
            sums[kind] = sum
        }
    }

    /// Writes the sums, in the transaction that ends the runs, and forgets them.
    func write(to database: Database) throws {
        let sums = sums.withLock { sums in
            defer { sums = [:] }
            return sums
        }
        for (kind, sum) in sums { try Self.write(kind, sum, database) }
    }

    private static func write(_ kind: Kind, _ sum: Sum, _ database: Database) throws {
        let (plug, hour, runs, tally) = (kind.plug, kind.hour, sum.runs, sum.tally)
        let all = """
            INSERT INTO run_sum VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8), ('', ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, requests = requests + excluded.requests,
                records = records + excluded.records, dead_letters = dead_letters + excluded.dead_letters,
                microseconds = microseconds + excluded.microseconds
            """
        let error = """
            INSERT INTO run_error VALUES (?1, ?2, ?3, ?4), ('', ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET runs = runs + excluded.runs
            """
        let version = """
            INSERT INTO plug_version VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, failed = failed + excluded.failed,
                first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)
            """
        let (requests, records, letters) = (tally.requests, tally.records, tally.deadLetters)
        try database.run(all, plug, hour, kind.outcome, runs, requests, records, letters, sum.microseconds)
        if let code = kind.error { try database.run(error, plug, hour, code, runs) }
        let failed = kind.outcome == "failed" ? runs : 0
        try database.run(version, plug, kind.version, runs, failed, sum.began.lowerBound, sum.began.upperBound)
    }
}
