internal import PlugCore
internal import PlugManifest
internal import PlugRuntime

// Whether a service honours a lower bound, and whether pages are counted from where it counts them.
extension TrialProbe {
    /// A stream of which nothing was read: no finding would show that anything is wrong with it.
    func emptyFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) -> TrialReport.Finding? {
        let counts = tried.counts
        guard reading.since == nil, counts.pages > 0, counts.fetched + counts.dropped + counts.filtered == 0 else {
            return nil
        }
        let sent = stream.sendsSince ? "; check how 'since' is sent, and from when on" : ""
        return finding(
            stream,
            "\(stream.places["request"]): the service gives no record, so nothing of this stream is tested\(sent)",
            code: .nothingRead
        )
    }

    /// Asks for the page before the first one: what it has would never be read.
    func firstFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) async -> TrialReport.Finding? {
        guard var paging = stream.paging, let counting = paging.kind.counting else { return nil }
        switch paging.kind {
        case .number(let param, let from, let size):
            paging.kind = .number(param: param, from: from - 1, sizeParam: size)
        case .offset(let param, let size, let sizeParam, let from):
            paging.kind = .offset(param: param, size: size, sizeParam: sizeParam, from: from - 1)
        case .next, .link, .cursor: return nil
        }
        let changed = stream.replacing(paging: paging, missing: .some(nil))
        let answer = await reading.read(request(with: changed), Trial(pages: 1, records: tried.records.count))
        // Most services refuse a page that they do not have, or give the first one.
        guard answer.run.error == nil, let before = answer.streams.first, !before.records.isEmpty else { return nil }
        let first = before.records
        let known = Set(tried.records.map(\.source))
        let isNew =
            counting.countsRecords ? !known.contains(first[0].source) : known.isDisjoint(with: first.map(\.source))
        guard isNew else { return nil }
        return finding(
            stream,
            "\(stream.places["page.\(paging.kind.key)"]): the service counts from \(counting.from - 1), not from \(counting.from): "
                + "asked for \(counting.from - 1), it gives \(before.counts.fetched.counted("record")) that would not be read",
            code: .pageStart
        )
    }

    /// Asks for records since the newest one read so far, which must not give the same ones again; and since one in the middle,
    /// which must give some: an empty answer to the first question is also what a bound that nobody understands gets.
    func sinceFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) async -> TrialReport.Finding? {
        guard let since = stream.since else { return nil }
        let bounds = TrialBounds(tried, since)
        guard let newest = bounds.newest else { return nil }
        let names =
            since.send.isEmpty ? "'{{ since }}'" : since.send.map { "'\($0.name)'" }.joined(separator: ", ")
        let place = stream.places[since.send.isEmpty ? "request" : "since.send"]
        var request = reading.plug.request([stream.name])
        request.since = newest
        let answer = await reading.read(request, Trial(pages: 1, records: tried.records.count))
        guard answer.run.error == nil, let again = answer.streams.first else { return failed(stream, answer) }
        let expected = Array(tried.records.prefix(again.records.count)).map(\.source)
        if again.records.count > 1, again.records.map(\.source) == expected {
            return finding(
                stream,
                "\(place): the service gives the same records whatever \(names) says: asked for those since "
                    + "\(DisplayText.escaped(newest)), it gives the same \(again.records.count) as before"
            )
        }
        guard let middle = bounds.middle else { return nil }
        request.since = middle
        let middling = await reading.read(request, Trial(pages: max(1, tried.counts.pages), records: 1))
        guard middling.run.error == nil, let counts = middling.streams.first?.counts else {
            return failed(stream, middling)
        }
        guard counts.fetched + counts.dropped == 0 else { return nil }
        return finding(
            stream,
            "\(place): asked for records since \(DisplayText.escaped(middle)), the service gives none, though the newest that was "
                + "read is of \(DisplayText.escaped(newest)): \(names) has another unit or form than the service expects, and later "
                + "runs would find nothing new",
            code: .sinceUnmet
        )
    }
}
