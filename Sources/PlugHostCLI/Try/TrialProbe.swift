internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime

/// Tests whether a service honours the parameters that it is sent: each stream is requested again, with another value.
struct TrialProbe {
    private let reading: TrialReading

    init(_ reading: TrialReading) { self.reading = reading }

    /// Adds what the pages that were read already show.
    func compare(pagesOf report: inout TrialReport) {
        for stream in report.streams {
            guard let definition = reading.plug.manifest.stream(stream.name) else { continue }
            if let finding = repeatFinding(definition, stream) { report.findings.append(finding) }
        }
    }

    /// Requests each stream again, and adds what that shows.
    func look(into report: inout TrialReport) async {
        for stream in report.streams {
            // Streams with parents would cost the parents' requests, too.
            guard let definition = reading.plug.manifest.stream(stream.name), definition.parent == nil,
                stream.records.count > 1, !Task.isCancelled
            else { continue }
            var finding = await pageFinding(definition, stream)
            if finding == nil { finding = await sinceFinding(definition, stream) }
            if finding == nil { finding = await sizeFinding(definition, stream) }
            if let finding { report.findings.append(finding) }
        }
    }

    /// Checks whether the second page repeats the first, for a stream of which one page was read.
    private func pageFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) async -> TrialReport.Finding? {
        guard stream.paging != nil, tried.counts.pages == 1 else { return nil }
        let changed = stream.replacing(
            // Pages that must join would be read again and again.
            since: stream.since?.send.isEmpty == true ? .some(nil) : nil,
            missing: .some(nil)
        )
        let answer = await reading.read(request(with: changed), Trial(pages: 2, records: 100))
        guard answer.run.error == nil, let again = answer.streams.first else { return failed(stream, answer) }
        return repeatFinding(stream, again)
    }

    /// Checks whether each page repeats the one before.
    private func repeatFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) -> TrialReport.Finding? {
        let counts = tried.counts
        // Pages that must join are read more than once, so their number says nothing.
        guard let paging = stream.paging, stream.parent == nil, counts.pages > 1, counts.undelivered > 1,
            counts.known > 0,
            counts.known.isMultiple(of: counts.undelivered)
        else { return nil }
        // A page may hold each record twice.
        let sources = tried.records.map(\.source)
        if counts.dropped == 0, zip(sources, sources.dropFirst(counts.undelivered)).contains(where: { $0 != $1 }) {
            return nil
        }
        let what =
            paging.kind.lead.isAddress
            ? "at the address of the next one"
            : "whatever \(paging.kind.param.map { "'\($0)' says" } ?? "the \(paging.kind.key) is")"
        return finding(
            stream,
            "\(stream.places["page.\(paging.kind.key)"]): the service gives the same page again \(what): page 2 has the "
                + "\(counts.undelivered) records of page 1"
        )
    }

    /// Checks whether records arrive that are older than requested: the second request starts at the newest record read so far.
    private func sinceFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) async -> TrialReport.Finding?
    {
        guard let since = stream.since, !since.send.isEmpty, let newest = newest(tried, since) else { return nil }
        var request = reading.plug.request([stream.name])
        request.since = newest
        let answer = await reading.read(request, Trial(pages: 1, records: tried.records.count))
        guard answer.run.error == nil, let again = answer.streams.first else { return failed(stream, answer) }
        let expected = Array(tried.records.prefix(again.records.count)).map(\.source)
        guard again.records.count > 1, again.records.map(\.source) == expected else { return nil }
        let names = since.send.map { "'\($0.name)'" }.joined(separator: ", ")
        return finding(
            stream,
            "\(stream.places["since.send"]): the service gives the same records whatever \(names) says: asked for those since "
                + "\(DisplayText.escaped(newest)), it gives the same \(again.records.count) as before"
        )
    }

    /// A request for one stream, in a manifest where it takes the place of the one with its name.
    private func request(with stream: PlugManifest.Stream) -> RunRequest {
        var request = reading.plug.request([stream.name])
        let streams = request.manifest.streams.map { $0.name == stream.name ? stream : $0 }
        request.manifest = request.manifest.replacing(streams: streams)
        return request
    }

    /// Checks whether pages have more records than requested.
    private func sizeFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) async -> TrialReport.Finding? {
        guard stream.since?.send.isEmpty ?? true, let paging = stream.paging, paging.sendsSize,
            case let size = max(paging.minimumSize, tried.records.count / 2), size < tried.records.count
        else { return nil }
        let sized = stream.replacing(paging: paging.sized(size))
        let answer = await reading.read(request(with: sized), Trial(pages: 1, records: 0))
        guard answer.run.error == nil, let again = answer.streams.first else { return failed(stream, answer) }
        guard again.counts.fetched + again.counts.dropped > size else { return nil }
        return finding(
            stream,
            "\(stream.places["page.size"]): the service ignores the page size: asked for \(size) records, it gives "
                + "\(again.counts.fetched + again.counts.dropped)"
        )
    }

    private func finding(_ stream: PlugManifest.Stream, _ message: String) -> TrialReport.Finding {
        .init(code: .parameterIgnored, message: message, stream: stream.name, isError: false)
    }

    /// A service that refuses the request has not answered the question.
    private func failed(_ stream: PlugManifest.Stream, _ answer: TrialReport) -> TrialReport.Finding? {
        answer.run.error.map { error in
            .init(code: error.code, message: "the probe failed: \(error.message)", stream: stream.name, isError: false)
        }
    }

    /// The greatest value of `since.field` among the shown records, if their values differ.
    private func newest(_ tried: TrialReport.Stream, _ since: Since) -> String? {
        let values = tried.records.compactMap { record in
            since.fields.lazy.compactMap { field in
                (try? field.run(record.source, globals: Array(repeating: .null, count: field.usedGlobals.count)))?.first
                { !$0.isNull }
            }.first
        }
        guard Set(values).count > 1 else { return nil }
        let greatest = values.max { first, second in
            if let first = first.stringText.flatMap({ Timestamp($0) }),
                let second = second.stringText.flatMap({ Timestamp($0) })
            {
                return first < second
            }
            return first < second
        }
        return greatest.map { $0.stringText ?? $0.compactText }
    }
}
