internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// The outcome of a run, for people.
struct RunText: Sendable {
    private let run: StoredRun
    private let report: JSONValue?
    private let isRunning: Bool
    private let reader: RunTrouble.Reader

    /// - Parameters:
    ///   - reader: Who reads it.
    ///   - isRunning: Whether it is running now. Otherwise one without an end was aborted: its process has died.
    init(_ run: StoredRun, for reader: RunTrouble.Reader, isRunning: Bool = false) {
        self.run = run
        self.reader = reader
        self.isRunning = isRunning
        report = try? JSONValue(parsing: run.report)
    }

    /// The number of new records in the PDA.
    var delivered: Int { sum("delivered") + (report?["outbox"]?["drained"]?.number?.int64).map(Int.init).orZero }
    /// The number that could not be delivered at all.
    var refused: Int { sum("dead_letters") }
    /// The error that ended it.
    var trouble: RunTrouble? {
        guard let error = report?["error"], let code = error["code"]?.stringText else { return nil }
        return RunTrouble(code: code, message: error["message"]?.stringText ?? code, for: reader)
    }

    /// The number of requests to the service.
    var requests: Int { sum("requests") }

    /// The numbers of its streams.
    var streams: [LiveRuns.Stream] {
        (report?["streams"]?.object?.members ?? []).map { member in
            LiveRuns.Stream(name: member.key.text, counts: StreamCounts(json: member.value))
        }
    }

    /// Its outcome in a word, and the class of its colour.
    var word: (text: String, style: String) {
        switch run.outcome {
        case "done": ("Done", "good")
        case "partial": ("Partly done", "warn")
        case "failed": ("Failed", "bad")
        case "interrupted": ("Interrupted; will continue", "quiet")
        default:
            if run.endedAt != nil {
                ("Ended", "quiet")
            } else {
                isRunning ? ("Running", "quiet") : ("Cut short; will continue", "quiet")
            }
        }
    }

    /// A row of the table of runs. Operators see two more columns and a link to the run.
    var row: HTML {
        let (text, style) = word
        let what: HTML? = trouble.map { trouble in
            let code: HTML? = reader == .operator ? "<code>\(trouble.code)</code> " : nil
            return "<br><span class=\"quiet\">\(code)\(trouble.what)</span>"
        }
        let letters: HTML? =
            refused > 0 ? "<br><span class=\"warn\">\(refused.counted("record")) refused</span>" : nil
        let time = Words.time(run.start.at)
        let path = OperatorPath.of(run.start.connection, "runs/\(run.id)")
        let when: HTML = reader == .operator ? "<a href=\"\(path)\">\(time)</a>" : time
        let more: HTML? = reader == .operator ? "<td>\(Words.number(requests))</td><td>\(took)</td>" : nil
        return """
            <tr><td>\(when)</td><td><span class="\(style)">\(text)</span>\(what)</td>\
            <td>\(delivered)\(letters)</td>\(more)</tr>
            """
    }

    /// Its duration; nothing until it has ended.
    private var took: String {
        run.endedAt.map { Words.seconds(Double(max(0, $0 - run.start.at)) / 1_000_000) } ?? ""
    }

    private func sum(_ name: String) -> Int {
        (report?["streams"]?.object?.members ?? []).reduce(0) { sum, member in
            sum + (member.value[name]?.number?.int64).map(Int.init).orZero
        }
    }
}

extension Int? {
    fileprivate var orZero: Int { self ?? 0 }
}
