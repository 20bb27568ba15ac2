import PlugCore
import PlugManifest

// What happens between runs.
extension ConformanceScenario {
    static let runs = [killed, secondRun]

    private static let killed = ConformanceScenario(name: "killed after a page, and resumed") { trial in
        // The number of answers is the maximum number of pages: those of children that need not be told apart are merged.
        guard trial.pageRequests > 1 else { return .absent }
        for page in 1..<min(trial.pageRequests, 4) {
            let clock = ReplayClock(trial.world.now, isSlow: true)
            let service = SimulatedService(trial.world, trial.lists, clock: clock)
            let first = try await trial.world.run(service, clock: clock, pageLimit: page)
            var second = try await trial.world.run(service, clock: clock, from: first.states)
            second.records = first.records + second.records
            var happened: String?
            if let error = second.error { happened = trial.shown(error) }
            if service.isEndless { happened = "endless requests" }
            if let happened = happened ?? trial.difference(second) {
                return .failed(
                    Fault(
                        key: "page",
                        expected: "the same records as without the interruption after page \(page)",
                        happened: happened,
                        advice: "nothing in the request or in 'map' may depend on when it is read"
                    )
                )
            }
        }
        return .passed
    }

    private static let secondRun = ConformanceScenario(name: "second run", judgesCursor: true) { trial in
        let world = trial.world
        var lists = trial.lists
        var added = 0
        // Nothing is requested a second time for unchanged parents.
        let followsParents =
            world.family.carrier.parent?.levels.contains { $0.onlyChanged || $0.skipsUnchanged } ?? false
        if case .made(let source) = world.content, source.template.place != .whole, !followsParents,
            source.paging == nil || trial.paging != nil
        {
            added = trial.series * source.template.perElement
            lists.added = 1
        }
        lists.generation = 2
        let clock = ReplayClock(world.now + 2 * 86_400_000_000)
        let service = SimulatedService(world, lists, clock: clock)
        let run = try await world.run(service, clock: clock, from: trial.plain.states)
        let expected = added == 0 ? "nothing new" : "\(added.counted("record")), the new one, and nothing twice"
        func failed(_ key: String, _ happened: String, _ advice: String) -> Verdict {
            .failed(Fault(key: key, expected: expected, happened: happened, advice: advice))
        }
        if trial.lacksCursor, let error = trial.plain.error {
            return failed("since.field", trial.shown(error), error.advice ?? "correct 'since.field'")
        }
        if service.isEndless {
            return failed("since", "endless requests", "correct what ends the pages: 'page'")
        }
        if let error = run.error { return failed("since", trial.shown(error), error.advice ?? "correct 'since'") }
        let cursor = world.family.carrier
        if let since = cursor.since, sendsCursor(cursor), let first = trial.asked.first(where: { $0.kind == .page }),
            service.asked.first(where: { $0.kind == .page })?.text == first.text
        {
            return failed(
                "since.field",
                "the second run sends the same requests as the first, without a cursor: '\(since.fieldSource)' gave no value",
                "take 'since.field' from the member that the records have"
            )
        }
        if let since = cursor.since, trial.reads(since, of: cursor) == nil {
            return failed(
                "since",
                "the second run reads everything again: 'since' is not sent, and does not end the pages",
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
                "\(trial.shown(conflict)) differs from the first run, though the source has not changed",
                "nothing in 'map' may depend on when it is read; otherwise choose another 'version'"
            )
        }
        guard new.count != added else { return .passed }
        let advice =
            new.count < added
            ? "check that 'since.field' is what the service compares with, and its 'order' and 'overlap'"
            : "nothing in 'key', 'version' or 'map' may depend on when it is read"
        return failed(new.count < added ? "since" : "key", "\(new.count.counted("record")) new", advice)
    }

    /// Whether requests of a stream say where to read from.
    private static func sendsCursor(_ stream: PlugManifest.Stream) -> Bool {
        guard let since = stream.since, let request = stream.request else { return false }
        return !since.send.isEmpty || request.usedRoots.contains("since")
    }
}

extension ConformanceTrial {
    /// What `since` is useful for in a stream; `nil` for nothing.
    fileprivate func reads(_ since: Since, of stream: PlugManifest.Stream) -> String? {
        if !since.send.isEmpty || stream.request?.usedRoots.contains("since") == true { return "send" }
        if since.stopsAtKnown { return "stop" }
        if since.filters { return "filter" }
        // It tells which records are new to the streams below.
        let isFollowed = world.manifest.streams.contains { below in
            below.parent?.streams.contains(stream.name) == true
                && below.parent?.levels.contains { $0.onlyChanged } == true
        }
        return isFollowed ? "only" : nil
    }
}
