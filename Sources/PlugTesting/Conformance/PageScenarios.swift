import JQ
import PlugCore
import PlugManifest

// What happens between pages, and between runs.
extension ConformanceScenario {
    static let pages = [onePage, twoPages, repeatedToken, emptyStream, changedRecord, killed, secondRun]

    /// Whether the pages of a trial are made: only those can be more, fewer or others than recorded.
    private static func made(_ trial: ConformanceTrial) -> (source: MadeSource?, reason: String) {
        guard case .made(let source) = trial.world.content else { return (nil, trial.world.reason ?? "") }
        return (source, "")
    }

    private static let onePage = ConformanceScenario(name: "one page", judgesPlainRun: true) { trial in
        guard trial.paging == nil else { return .absent }
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        return whole(trial, source, "each of \(trial.shelf.count) different records once")
    }

    private static let twoPages = ConformanceScenario(name: "two pages", judgesPlainRun: true) { trial in
        guard trial.paging != nil else { return .absent }
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        guard source.mould.place != .whole else { return .notSimulated("each answer is one record") }
        return whole(trial, source, "\(trial.shelf.count) different records, \(source.size) of them on the first page")
    }

    /// Whether an undisturbed run gives everything, once.
    private static func whole(_ trial: ConformanceTrial, _ source: MadeSource, _ expected: String) -> Verdict {
        let run = trial.plain
        func failed(_ key: String, _ happened: String, _ advice: String) -> Verdict {
            .failed(Fault(key: key, expected: expected, happened: happened, advice: advice))
        }
        if trial.isEndless {
            return failed("page", "requests without an end", "correct what ends the pages: 'page' and its 'stop'")
        }
        if let conflict = run.conflicts(trial.stream).first {
            return failed(
                "key",
                "two different records have the _id \(trial.shown(conflict))",
                "choose a 'key' that no two records share, on whichever page they stand"
            )
        }
        let things = Set(run.records.map(\.thing)).count
        if run.error == nil, things < run.records.count, run.records.count == expectedCount(trial, source) {
            return failed(
                "key",
                "\(got(run)), and 'key' gives the same for some of them: \(things) different things",
                "choose a 'key' that no two records share, on whichever page they stand"
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
        if run.misfits > 0 { return failed("map", run.told.first ?? "a record does not fit", "correct 'map' and 'fields'") }
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
            "compare how the next page is found, and what ends the pages, with the service's description"
        )
    }

    private static func expectedCount(_ trial: ConformanceTrial, _ source: MadeSource) -> Int {
        trial.series * trial.shelf.count * source.mould.perElement
    }

    private static func got(_ run: SimulatedRun) -> String {
        "\(ConformanceTrial.counted(run.records.count)) on \(run.pages == 1 ? "1 page" : "\(run.pages) pages")"
    }

    private static let repeatedToken = ConformanceScenario(name: "repeated page token") { trial in
        guard let paging = trial.paging else { return .absent }
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        guard source.mould.place != .whole else { return .notSimulated("each answer is one record") }
        // Where pages are counted there is no token, and nothing that says that a page follows.
        if paging.isCounted, paging.more == nil, paging.total == nil, paging.pages == nil { return .absent }
        var shelf = trial.shelf
        shelf.count = source.size * 2
        shelf.repeats = true
        let (run, service) = try await trial.disturbed(shelf)
        let expected = "an error, because the service gives the same page again and again"
        if service.isEndless {
            let happened = "\(SimulatedService.requestLimit) requests without an end"
            let advice = "remove what keeps plughost from seeing it, or set 'page.max'"
            return .failed(Fault(key: "page", expected: expected, happened: happened, advice: advice))
        }
        if run.error == nil, paging.stop != .short || !paging.isCounted {
            return .failed(
                Fault(
                    key: "page",
                    expected: expected,
                    happened: "the stream ended without one, as if all were read: \(got(run))",
                    advice: "check that 'page' takes the token of the next page, and not another one"
                )
            )
        }
        return .passed
    }

    private static let emptyStream = ConformanceScenario(name: "empty stream") { trial in
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        guard source.mould.place != .whole else { return .absent }
        var shelf = trial.shelf
        shelf.count = 0
        let (run, service) = try await trial.disturbed(shelf)
        let expected = "a complete pass without records"
        func failed(_ happened: String, _ advice: String) -> Verdict {
            .failed(Fault(key: "records", expected: expected, happened: happened, advice: advice))
        }
        if service.isEndless { return failed("requests without an end", "correct what ends the pages: 'page'") }
        if let error = run.error {
            return failed(trial.shown(error), error.advice ?? "let 'records' and 'page' take an empty list")
        }
        if !run.records.isEmpty { return failed(got(run), "let 'records' take only what the service lists") }
        return run.isComplete ? .passed : failed("the pass did not end", "correct what ends the pages: 'page'")
    }

    private static let changedRecord = ConformanceScenario(name: "record changed between pages") { trial in
        guard trial.paging != nil else { return .absent }
        let (source, reason) = made(trial)
        guard let source else { return .notSimulated(reason) }
        guard source.mould.place != .whole else { return .notSimulated("each answer is one record") }
        let mould = source.mould
        // A service that lists by time moves what changes to where it was read before, or was not yet; then only its neighbour
        // is met again.
        let isMoved = trial.world.family.inside.isEmpty && mould.since.contains { mould.version.contains($0) }
        let changes = trial.stream.version != nil || !trial.stream.declaresVersion
        if let version = trial.stream.version, mould.version.isEmpty, !version.source.contains(".") {
            return .failed(
                Fault(
                    key: "version",
                    expected: "the changed record in both its versions",
                    happened: "'\(version.source)' reads nothing of the record: no change is ever seen",
                    advice: "take a 'version' that changes with the record, or write 'version: content' or 'none'"
                )
            )
        }
        if changes, !isMoved, mould.version.isEmpty, trial.stream.declaresVersion {
            return .notSimulated("no member was found that 'version' reads and 'key' does not")
        }
        var shelf = trial.shelf
        shelf.revision = changes && !isMoved ? 1 : 0
        let (run, service) = try await trial.disturbed(shelf)
        let expected =
            shelf.revision == 1
            ? "all records once, and the changed one in both its versions" : "all records, each once"
        func failed(_ key: String, _ happened: String, _ advice: String) -> Verdict {
            .failed(Fault(key: key, expected: expected, happened: happened, advice: advice))
        }
        if service.isEndless { return failed("page", "requests without an end", "correct what ends the pages: 'page'") }
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
        let wanted = trial.plain.ledger(trial.stream).count + (shelf.revision ?? 0) * trial.series * mould.perElement
        guard found.count == wanted || mould.content == nil && mould.version.isEmpty else {
            return failed(
                "version",
                "\(ConformanceTrial.counted(found.count)) instead of \(wanted)",
                "take a 'version' that changes with the record, or write 'version: content'"
            )
        }
        return .passed
    }

    private static let killed = ConformanceScenario(name: "killed after a page, and resumed") { trial in
        // So many answers, so many pages at most: those of children that nobody has to tell apart are put together.
        guard trial.pageRequests > 1 else { return .absent }
        for page in 1..<min(trial.pageRequests, 4) {
            let clock = ReplayClock(trial.world.now, isSlow: true)
            let service = SimulatedService(trial.world, trial.shelf, clock: clock)
            let first = try await trial.world.run(service, clock: clock, pageLimit: page)
            var second = try await trial.world.run(service, clock: clock, from: first.states)
            second.records = first.records + second.records
            var happened: String?
            if let error = second.error { happened = trial.shown(error) }
            if service.isEndless { happened = "requests without an end" }
            if let happened = happened ?? trial.difference(second) {
                return .failed(
                    Fault(
                        key: "page",
                        expected: "the same records as without the interruption after page \(page)",
                        happened: happened,
                        advice: "let nothing in the request and in 'map' depend on when it is read"
                    )
                )
            }
        }
        return .passed
    }

    private static let secondRun = ConformanceScenario(name: "second run", judgesCursor: true) { trial in
        let world = trial.world
        var shelf = trial.shelf
        var added = 0
        if case .made(let source) = world.content, source.mould.place != .whole {
            added = trial.series * source.mould.perElement
            shelf.added = 1
        }
        shelf.generation = 2
        let clock = ReplayClock(world.now + 2 * 86_400_000_000)
        let service = SimulatedService(world, shelf, clock: clock)
        let run = try await world.run(service, clock: clock, from: trial.plain.states)
        let expected = added == 0 ? "nothing new" : "\(ConformanceTrial.counted(added)), the new one, and nothing twice"
        func failed(_ key: String, _ happened: String, _ advice: String) -> Verdict {
            .failed(Fault(key: key, expected: expected, happened: happened, advice: advice))
        }
        if trial.lacksCursor, let error = trial.plain.error {
            return failed("since.field", trial.shown(error), error.advice ?? "correct 'since.field'")
        }
        if service.isEndless { return failed("since", "requests without an end", "correct what ends the pages: 'page'") }
        if let error = run.error { return failed("since", trial.shown(error), error.advice ?? "correct 'since'") }
        let cursor = world.family.carrier
        if let since = cursor.since, sendsCursor(cursor), let first = trial.asked.first(where: { $0.kind == .page }),
            service.asked.first(where: { $0.kind == .page })?.text == first.text
        {
            return failed(
                "since.field",
                "the second run asks as the first one did, without a cursor: '\(since.fieldSource)' gave no value",
                "take 'since.field' from the member that the records have"
            )
        }
        if let since = cursor.since, trial.reads(since, of: cursor) == nil {
            return failed(
                "since",
                "the second run reads everything again: nothing of 'since' is sent, or ends the pages",
                "write how the service takes the bound, as in 'send: {query: {since: time}}'; otherwise remove 'since'"
            )
        }
        let known = trial.plain.ledger(trial.stream)
        let new = run.ledger(trial.stream).filter { known[$0.key] == nil }
        if let conflict = run.records.first(where: { entry in
            known[SimulatedRun.name(entry, trial.stream)].map { $0 != entry.bytes } ?? false
        }) {
            return failed(
                "map",
                "\(trial.shown(conflict)) says something else than in the first run, though the source has not changed",
                "let nothing in 'map' depend on when it is read, or choose another 'version'"
            )
        }
        guard new.count != added else { return .passed }
        let advice =
            new.count < added
            ? "check that 'since.field' is what the service compares with, and its 'order' and 'overlap'"
            : "let nothing in 'key', 'version' and 'map' depend on when it is read"
        return failed(new.count < added ? "since" : "key", "\(ConformanceTrial.counted(new.count)) new", advice)
    }

    /// Whether requests of a stream say from where on it is to be read.
    private static func sendsCursor(_ stream: PlugManifest.Stream) -> Bool {
        guard let since = stream.since, let request = stream.request else { return false }
        return !since.send.isEmpty || request.mentionsSince
    }
}

extension ConformanceTrial {
    /// What `since` is good for in a stream; `nil` for nothing.
    fileprivate func reads(_ since: Since, of stream: PlugManifest.Stream) -> String? {
        if !since.send.isEmpty || stream.request?.mentionsSince == true { return "send" }
        if since.stopsAtKnown { return "stop" }
        if since.filters { return "filter" }
        // It tells which records are new to the streams below.
        let isFollowed = world.manifest.streams.contains { below in
            below.parent?.streams.contains(stream.name) == true && below.parent?.levels.contains { $0.onlyChanged } == true
        }
        return isFollowed ? "only" : nil
    }
}

extension Request {
    /// Whether a template of the request has the lower bound.
    fileprivate var mentionsSince: Bool {
        let templates = [path, text].compactMap(\.self) + (query + headers + (form ?? [])).map(\.value)
        return templates.contains { $0.usedGlobals.contains("since") }
    }
}
