internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime

/// The result of a run, for people.
enum RunSummary {
    /// A line for the run and one for each stream.
    static func text(_ report: RunReport, isDryRun: Bool) -> String {
        let target = isDryRun ? "dry run, nothing was sent" : "\(report.outcome.rawValue), \(report.pda)"
        var text = "\(report.plug) (\(DisplayText.escaped(report.connection))): \(target), \(seconds(report.seconds))\n"
        text += streams(report.streams, isWhole: report.error == nil, isDryRun: isDryRun)
        text += outboxLine(report.outbox)
        if report.outbox.deadLetters > 0 || report.streams.contains(where: { $0.counts.deadLetters > 0 }) {
            text += "  'plughost deadletters list' shows what could not be delivered, and why\n"
        }
        return text
    }

    /// A line for each stream.
    static func streams(
        _ streams: [(name: String, counts: StreamCounts)],
        isWhole: Bool,
        isDryRun: Bool
    ) -> String {
        let width = streams.map(\.name.count).max() ?? 0
        return streams.map { name, counts in
            let padding = String(repeating: " ", count: width - name.count)
            let text = isWhole || counts.fetched > 0 ? line(counts, isDryRun: isDryRun) : "nothing done"
            return "  \(name)\(padding)  \(text)\n"
        }.joined()
    }

    /// `5 records: 3 delivered, 2 known; up to 2026-11-21T00:00:00Z`
    static func line(_ counts: StreamCounts, isDryRun: Bool = false) -> String {
        let fates: [(Int, String)] = [
            (counts.delivered, "delivered"), (counts.known, "known"), (counts.duplicates, "already in the PDA"),
            (counts.deadLetters, counts.deadLetters == 1 ? "dead letter" : "dead letters"), (counts.queued, "queued"),
            (counts.undelivered, isDryRun ? "to deliver" : "not delivered"),
        ]
        let shown = fates.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
        // A dry run continues nothing: what it reads would be the first.
        let isEmpty = isDryRun && counts.filtered == 0 && counts.dropped == 0
        let nothing = counts.pages == 0 ? "nothing read" : isEmpty ? "no records" : "nothing new"
        var text = counts.fetched == 0 ? nothing : "\(counts.fetched.counted("record")): \(shown)"
        let earlier = (counts.waiting ?? 0) - counts.queued
        if earlier > 0 { text += "; \(earlier) of earlier runs \(earlier == 1 ? "waits" : "wait") in the outbox" }
        if counts.deleted > 0 { text += "; \(counts.deleted) of them deletions" }
        if counts.conflicts > 0 { text += "; \(counts.conflicts) with the _id of another record" }
        if counts.dropped > 0 { text += "; \(counts.dropped) dropped by the manifest" }
        if counts.filtered > 0 { text += "; \(counts.filtered) older left out" }
        if counts.skippedParents > 0 { text += "; \(counts.skippedParents.counted("parent")) skipped by the manifest" }
        if counts.repaired > 0 { text += "; \(counts.repaired.counted("character")) replaced" }
        if let cursor = counts.cursor { text += "; up to \(DisplayText.escaped(cursor))" }
        return text
    }

    /// `  outbox: 500 records of earlier runs sent, 300 records wait`
    static func outboxLine(_ outbox: OutboxTally) -> String {
        let parts = [
            (outbox.drained, "\(outbox.drained.counted("record")) of earlier runs sent"),
            (outbox.deadLetters, outbox.deadLetters.counted("dead letter")),
            (outbox.waiting, outbox.waitingText),
        ].filter { $0.0 > 0 }.map(\.1)
        return parts.isEmpty ? "" : "  outbox: \(parts.joined(separator: ", "))\n"
    }

    /// `0.42 s`, `12.3 s`, `754 s`
    static func seconds(_ seconds: Double) -> String {
        let digits = seconds < 1 ? 100.0 : seconds < 100 ? 10 : 1
        let rounded = JSONNumber((seconds * digits).rounded() / digits)
        return "\(rounded?.text ?? "0") s"
    }
}
