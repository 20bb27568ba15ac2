import JQ
import PlugCore
import PlugManifest

// What happens between pages.
extension ConformanceScenario {
    static let pages = [onePage, twoPages, repeatedToken, emptyStream, changedRecord]

    /// Whether the pages of a trial are simulated: only then can there be more, fewer or other ones than recorded.
    private static func made(_ trial: ConformanceTrial) -> (source: MadeSource?, reason: String) {
        guard case .made(let source) = trial.world.content else { return (nil, trial.world.reason ?? "") }
        return (source, "")
    }

    private static let onePage = ConformanceScenario(name: "one page", judgesPlainRun: true) { trial in
        guard trial.paging == nil else { return .absent }
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        return whole(trial, source, "each of \(trial.lists.count) different records once")
    }

    private static let twoPages = ConformanceScenario(name: "two pages", judgesPlainRun: true) { trial in
        guard trial.paging != nil else { return .absent }
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        guard source.template.place != .whole else { return .notSimulated("each answer is one record") }
        return whole(trial, source, "\(trial.lists.count) different records, \(source.size) of them on the first page")
    }

    /// Whether an undisturbed run gives everything exactly once.
    private static func whole(_ trial: ConformanceTrial, _ source: MadeSource, _ expected: String) -> Verdict {
        let run = trial.plain
        func failed(_ key: String, _ happened: String, _ advice: String) -> Verdict {
            .failed(Fault(key: key, expected: expected, happened: happened, advice: advice))
        }
        if trial.isEndless {
            return failed("page", "endless requests", "correct what ends the pages: 'page' and its 'stop'")
        }
        if let conflict = run.conflicts(trial.stream).first {
            return failed(
                "key",
                "two different records have the _id \(trial.shown(conflict))",
                "choose a 'key' that no two records share, whichever page they are on"
            )
        }
        let things = Set(run.records.map(\.thing)).count
        if run.error == nil, things < run.records.count, run.records.count == expectedCount(trial, source) {
            return failed(
                "key",
                "\(got(run)), but 'key' gives only \(things.counted("value")) for them",
                "choose a 'key' that no two records share, whichever page they are on"
            )
        }
        if let key = source.controls.countsThePage, run.records.count < expectedCount(trial, source) {
            return failed(
                key,
                "'\(key)' counts the records of the page, so that reading ends after it: \(got(run))",
                "take it from the member that counts all records, or remove '\(key)'"
            )
        }
        if let error = run.error, !trial.lacksCursor {
            return failed("page", trial.shown(error), error.advice ?? "correct 'page'")
        }
        if run.misfits > 0 {
            return failed("map", run.told.first ?? "a record does not fit", "correct 'map' and 'fields'")
        }
        let found = run.ledger(trial.stream).count
        if source.controls.startsAgain {
            return failed(
                "page.cursor.from",
                "its token is taken from the first record of a page, so that the next page begins with the second one",
                "take it from the last record, as in '.[-1].id'"
            )
        }
        guard found < expectedCount(trial, source) else { return .passed }
        if run.records.count >= expectedCount(trial, source) {
            return failed(
                "key",
                "\(got(run)), of which \(found) are different: 'key' gives the same for different records",
                "choose a 'key' that no two records share"
            )
        }
        return failed(
            "page",
            got(run),
            "compare how the next page is found, and what ends the pages, with the service's documentation"
        )
    }

    private static func expectedCount(_ trial: ConformanceTrial, _ source: MadeSource) -> Int {
        trial.series * trial.lists.count * source.template.perElement
    }

    private static func got(_ run: SimulatedRun) -> String {
        "\(run.records.count.counted("record")) on \(run.pages.counted("page"))"
    }

    private static let repeatedToken = ConformanceScenario(name: "repeated page token") { trial in
        guard let paging = trial.paging else { return .absent }
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        guard source.template.place != .whole else { return .notSimulated("each answer is one record") }
        // Counted pages have no token: this is then a service that repeats its last page for all later requests.
        var lists = trial.lists
        lists.count = source.size * 2
        lists.repeats = true
        let (run, service) = try await trial.disturbed(lists)
        let expected = "an error, because the service gives the same page again and again"
        if service.isEndless {
            let happened = "\(SimulatedService.requestLimit) requests, and no end"
            let advice = "remove what keeps plughost from noticing it, or set 'page.max'"
            return .failed(Fault(key: "page", expected: expected, happened: happened, advice: advice))
        }
        if run.error == nil, paging.stop != .short || !paging.isCounted {
            return .failed(
                Fault(
                    key: "page",
                    expected: expected,
                    happened: "the stream ended without one, as if everything had been read: \(got(run))",
                    advice: "check that 'page' takes the token of the next page, and not another one"
                )
            )
        }
        return .passed
    }

    private static let emptyStream = ConformanceScenario(name: "empty stream") { trial in
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        guard source.template.place != .whole else { return .absent }
        var lists = trial.lists
        lists.count = 0
        let (run, service) = try await trial.disturbed(lists)
        let expected = "a complete pass without records"
        func failed(_ happened: String, _ advice: String) -> Verdict {
            .failed(Fault(key: "records", expected: expected, happened: happened, advice: advice))
        }
        if service.isEndless { return failed("endless requests", "correct what ends the pages: 'page'") }
        if let error = run.error {
            return failed(trial.shown(error), error.advice ?? "make 'records' and 'page' accept an empty list")
        }
        if !run.records.isEmpty { return failed(got(run), "make 'records' take only what the service lists") }
        return run.isComplete ? .passed : failed("the pass did not end", "correct what ends the pages: 'page'")
    }

    private static let changedRecord = ConformanceScenario(name: "record changed between pages") { trial in
        guard trial.paging != nil else { return .absent }
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        guard source.template.place != .whole else { return .notSimulated("each answer is one record") }
        let template = source.template
        // A service that lists by time moves a changed thing to where the run has read already, or has yet to read; only its
        // neighbour is then met again.
        let isMoved = trial.world.family.inside.isEmpty && template.since.contains { template.version.contains($0) }
        // A change in the key does not change a record: it makes it another thing.
        let isInKey = trial.stream.key.contains { $0.source == trial.stream.version?.source }
        let changes = trial.stream.version != nil && !isInKey || !trial.stream.declaresVersion
        if let version = trial.stream.version, template.version.isEmpty, !version.source.contains(".") {
            return .failed(
                Fault(
                    key: "version",
                    expected: "the changed record in both its versions",
                    happened: "'\(version.source)' reads nothing of the record: no change is ever seen",
                    advice: "take a 'version' that changes with the record, or write 'version: content' or 'none'"
                )
            )
        }
        if changes, !isMoved, template.version.isEmpty, trial.stream.declaresVersion {
            return .notSimulated("no member was found that 'version' reads and 'key' does not")
        }
        var lists = trial.lists
        lists.revision = changes && !isMoved ? 1 : 0
        let (run, service) = try await trial.disturbed(lists)
        let expected =
            lists.revision == 1
            ? "all records once, and the changed one in both its versions" : "all records, each once"
        func failed(_ key: String, _ happened: String, _ advice: String) -> Verdict {
            .failed(Fault(key: key, expected: expected, happened: happened, advice: advice))
        }
        if service.isEndless { return failed("page", "endless requests", "correct what ends the pages: 'page'") }
        if let error = run.error { return failed("page", trial.shown(error), error.advice ?? "correct 'page'") }
        if let conflict = run.conflicts(trial.stream).first {
            return failed(
                "version",
                "two states of one thing have the _id \(trial.shown(conflict))",
                "take a 'version' that changes with the record, or write 'version: content'"
            )
        }
        let found = run.ledger(trial.stream)
        if let missing = trial.plain.records.first(where: { found[SimulatedRun.name($0, trial.stream)] == nil }) {
            return failed("page", "\(trial.shown(missing)) is missing", "check what ends the pages: 'page'")
        }
        let wanted = trial.plain.ledger(trial.stream).count + (lists.revision ?? 0) * trial.series * template.perElement
        guard found.count == wanted || template.content == nil && template.version.isEmpty else {
            return failed(
                "version",
                "\(found.count.counted("record")) instead of \(wanted)",
                "take a 'version' that changes with the record, or write 'version: content'"
            )
        }
        return .passed
    }
}
