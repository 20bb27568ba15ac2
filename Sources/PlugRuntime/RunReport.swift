package import LosslessJSON
package import PlugCore
package import PlugStorage

/// The outcome of a run, in numbers: the contract of `run --json`.
package struct RunReport: Sendable {
    /// How it ended as a whole.
    package enum Outcome: String, Sendable {
        /// Every stream is complete, and every record is accounted for without errors.
        case done
        /// Some streams or records are done, and others are not.
        case partial
        /// Nothing was done.
        case failed
        /// Ended by Ctrl-C or SIGTERM; the next run continues.
        case interrupted
    }

    /// The plug's id.
    package var plug: String
    /// The connection's name.
    package var connection: String
    /// The run's number in the store; `nil` if the run is not recorded.
    package var run: Int64?
    /// The PDA's origin.
    package var pda: String
    /// How it ended.
    package var outcome: Outcome
    /// Wall time.
    package var seconds: Double
    /// The error that ended the run, or the first stream's.
    package var error: PlugError?
    /// All errors, those of other streams included, in the order in which they occurred.
    package var errors: [PlugError] = []
    /// The streams that ran, in the manifest's order.
    package var streams: [(name: String, counts: StreamCounts)]
    /// The fate of batches that earlier runs had left in the outbox.
    package var outbox = OutboxTally()

    /// How many runs in a row have moved nothing, this one included; 0 for a run that did.
    package var runsWithoutProgress = 0
    /// From this many on, a run that would ask to be repeated ends with `stuck` instead.
    static let stuckAfter = 10

    /// Creates a report.
    package init(plug: String, connection: String, pda: String) {
        self.plug = plug
        self.connection = connection
        self.pda = pda
        outcome = .done
        seconds = 0
        streams = []
    }

    /// The exit status of the process.
    package var exit: ExitStatus {
        if let error {
            let waits = error.exit == .tryLater || error.exit == .unreachable
            return waits && runsWithoutProgress >= Self.stuckAfter ? .stuck : error.exit
        }
        return outcome == .done ? .done : .failed
    }
}

/// A stream's numbers.
package struct StreamCounts: Sendable, Equatable {
    /// Requests to the source, retries included.
    package var requests = 0
    /// Pages that were read.
    package var pages = 0
    /// Records that were normalised, or could not be.
    package var fetched = 0
    /// Answered with 201, or proved after the answer to our own request in this run was lost.
    package var delivered = 0
    /// In the ledger (or met earlier in this pass), and not sent.
    package var known = 0
    /// Proved to be present without having been sent by this run.
    package var duplicates = 0
    /// Kept as dead letters, with a reason.
    package var deadLetters = 0
    /// In the outbox, to be sent by a later run.
    package var queued = 0
    /// In the outbox at the end, including both earlier runs' records and those queued by this one; outside the sum. `nil` if
    /// unknown.
    package var waiting: Int? = 0
    /// In hand when the run stopped; to be read again.
    package var undelivered = 0
    /// Records for which `map` or `drop_if` yielded nothing; outside the sum.
    package var dropped = 0
    /// Fetched records that report a thing as gone.
    package var deleted = 0
    /// Fetched records that show that several things share a key: another one of the pass has the same `_id` and different contents.
    package var conflicts = 0
    /// Records older than requested, left out by `since.filter` or `since.stop`; outside the sum.
    package var filtered = 0
    /// Parents that `skip_if` left out.
    package var skippedParents = 0
    /// Characters replaced because a PDA cannot store them.
    package var repaired = 0
    /// Bytes of the source's answers, decompressed.
    package var bytesIn = 0
    /// Bytes sent to the PDA.
    package var bytesOut = 0
    /// Where the stream continues, for display; `nil` if there is no bound.
    package var cursor: String?

    /// All zero.
    package init() {}

    /// Adds the numbers of another run; the sum has no cursor.
    package mutating func add(_ other: StreamCounts) {
        var other = other
        for number in Self.numbers { number.use(&self) { sum in number.use(&other) { sum += $0 } } }
        waiting = Counting.sum(waiting, other.waiting)
    }

    /// Whether every record is accounted for.
    package var isBalanced: Bool {
        fetched == delivered + known + duplicates + deadLetters + queued + undelivered
    }
}

extension RunReport {
    /// The object that `run --json` prints.
    package var json: JSONValue {
        let streams = JSONObject(streams.map { (JSONString($0.name), $0.counts.json) })
        return .object(
            JSONObject(distinct: [
                ("plug", .text(plug)), ("connection", .text(connection)), ("pda", .text(pda)),
                ("outcome", .text(outcome.rawValue)),
                ("seconds", JSONNumber((seconds * 1000).rounded() / 1000).map { .number($0) } ?? .null),
                ("error", error.map(\.json) ?? .null), ("runs_without_progress", .integer(runsWithoutProgress)),
                ("outbox", outbox.json), ("streams", .object(streams)),
            ])
        )
    }
}

extension RunReport {
    /// The few numbers that a host sums up.
    package var tally: RunTally {
        let counts = streams.map(\.counts)
        return RunTally(
            requests: counts.reduce(0) { $0 + $1.requests },
            records: counts.reduce(outbox.drained) { $0 + $1.delivered },
            deadLetters: counts.reduce(outbox.deadLetters) { $0 + $1.deadLetters },
            error: error?.code.text,
            hasMoved: hasMoved
        )
    }
}

extension OutboxTally {
    /// `{"drained", "dead_letters", "waiting", "waiting_records"}`
    package var json: JSONValue {
        .object(
            JSONObject(distinct: [
                ("drained", .integer(drained)), ("dead_letters", .integer(deadLetters)), ("waiting", .integer(waiting)),
                ("waiting_records", waitingRecords.map { .integer($0) } ?? .null),
            ])
        )
    }
}

/// Counts that may be unknown.
package enum Counting {
    /// The sum; `nil` if either is unknown.
    package static func sum(_ first: Int?, _ second: Int?) -> Int? {
        guard let first, let second else { return nil }
        return first + second
    }
}

extension PlugError {
    /// `{"code", "message", "stream"}`
    package var json: JSONValue {
        var object = JSONObject()
        object["code"] = .text(code.text)
        object["message"] = .text(message)
        object["stream"] = stream.map { .text($0) } ?? .null
        return .object(object)
    }
}

extension StreamCounts {
    /// A number of the contract: its name and its property. Key paths would cost a hundred times as much in each run.
    private struct Number: Sendable {
        var name: JSONString
        var use: @Sendable (inout StreamCounts, (inout Int) -> Void) -> Void
    }

    private static let numbers: [Number] = [
        Number(name: "requests") { $1(&$0.requests) }, Number(name: "pages") { $1(&$0.pages) },
        Number(name: "fetched") { $1(&$0.fetched) }, Number(name: "delivered") { $1(&$0.delivered) },
        Number(name: "known") { $1(&$0.known) }, Number(name: "duplicates") { $1(&$0.duplicates) },
        Number(name: "dead_letters") { $1(&$0.deadLetters) }, Number(name: "queued") { $1(&$0.queued) },
        Number(name: "undelivered") { $1(&$0.undelivered) }, Number(name: "deleted") { $1(&$0.deleted) },
        Number(name: "id_conflicts") { $1(&$0.conflicts) }, Number(name: "dropped") { $1(&$0.dropped) },
        Number(name: "filtered") { $1(&$0.filtered) }, Number(name: "skipped_parents") { $1(&$0.skippedParents) },
        Number(name: "repaired") { $1(&$0.repaired) }, Number(name: "bytes_in") { $1(&$0.bytesIn) },
        Number(name: "bytes_out") { $1(&$0.bytesOut) },
    ]

    /// Reads the numbers of a report; missing ones are zero.
    package init(json: JSONValue) {
        self.init()
        let members = json.object
        for number in Self.numbers {
            guard let read = members?[number.name]?.number?.int64 else { continue }
            number.use(&self) { $0 = Int(read) }
        }
    }

    /// The numbers under their names in the contract.
    package var json: JSONValue {
        var counts = self
        var members: [JSONObject.Member] = []
        members.reserveCapacity(Self.numbers.count + 2)
        for number in Self.numbers { number.use(&counts) { members.append((number.name, .integer($0))) } }
        members.append(("waiting", waiting.map { .integer($0) } ?? .null))
        members.append(("cursor", cursor.map { .text($0) } ?? .null))
        return .object(JSONObject(distinct: members))
    }
}
