internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime

/// Tests whether a service honours the parameters that it is sent: each stream is requested again, with another value.
struct TrialProbe {
    let reading: TrialReading

    init(_ reading: TrialReading) { self.reading = reading }

    /// Adds what the pages that were read already show.
    func compare(pagesOf report: inout TrialReport) {
        for stream in report.streams {
            guard let definition = reading.plug.manifest.stream(stream.name) else { continue }
            if let finding = repeatFinding(definition, stream) { report.findings.append(finding) }
            let isTold = report.run.error != nil || report.findings.contains { $0.stream == stream.name }
            if !isTold, let finding = emptyFinding(definition, stream) { report.findings.append(finding) }
        }
    }

    /// Requests each stream again, and adds what that shows, and what was asked.
    func look(into report: inout TrialReport) async {
        for stream in report.streams where !Task.isCancelled {
            guard let definition = reading.plug.manifest.stream(stream.name) else { continue }
            var probe = TrialReport.Probe(stream: stream.name)
            for question in Question.allCases {
                if let obstacle = obstacle(to: question, definition, stream) {
                    probe.unasked.append((question.rawValue, obstacle))
                    continue
                }
                probe.asked.append(question.rawValue)
                if let finding = await answer(to: question, definition, stream) {
                    report.findings.append(finding)
                    // The same fault would be found again.
                    break
                }
            }
            report.probes.append(probe)
        }
    }

    /// What a probe asks, by the key that it is about.
    private enum Question: String, CaseIterable {
        case page
        case first = "page.from"
        case since
        case size = "page.size"
    }

    /// Why a question is not asked; `nil` if it is.
    private func obstacle(to question: Question, _ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) -> String?
    {
        if tried.records.count < 2 { return "fewer than two records were read" }
        switch question {
        case .page:
            guard stream.paging != nil else { return "the stream has no 'page'" }
            if stream.parent != nil { return "the stream is read for others, whose answers differ anyway" }
            return tried.counts.pages == 1 ? nil : "several pages were read and compared"
        case .first:
            guard let counting = stream.paging?.kind.counting else { return "pages are not counted" }
            if stream.paging?.omitsFirst == true { return "the first page is asked for without a number" }
            return counting.from > 0 ? nil : "pages are counted from 0"
        case .since:
            guard let since = stream.since else { return "the stream has no 'since'" }
            guard stream.sendsSince else { return "requests do not send it" }
            return TrialBounds(tried, since).newest == nil
                ? "all records that were read have the same 'since.field'" : nil
        case .size:
            guard let paging = stream.paging, paging.sendsSize else { return "requests send no size" }
            if stream.parent != nil { return "the stream is read for others" }
            if stream.sendsSince { return "a bound is sent, too" }
            let size = max(paging.minimumSize, tried.records.count / 2)
            return size < tried.records.count ? nil : "no smaller size can be asked for"
        }
    }

    private func answer(
        to question: Question,
        _ stream: PlugManifest.Stream,
        _ tried: TrialReport.Stream
    ) async -> TrialReport.Finding? {
        switch question {
        case .page: await pageFinding(stream, tried)
        case .first: await firstFinding(stream, tried)
        case .since: await sinceFinding(stream, tried)
        case .size: await sizeFinding(stream, tried)
        }
    }

    /// Checks whether the second page repeats the first, for a stream of which one page was read.
    private func pageFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) async -> TrialReport.Finding? {
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

    /// A request for one stream, in a manifest where it takes the place of the one with its name.
    func request(with stream: PlugManifest.Stream) -> RunRequest {
        var request = reading.plug.request([stream.name])
        let streams = request.manifest.streams.map { $0.name == stream.name ? stream : $0 }
        request.manifest = request.manifest.replacing(streams: streams)
        return request
    }

    /// Checks whether pages have more records than requested.
    private func sizeFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) async -> TrialReport.Finding? {
        guard let paging = stream.paging else { return nil }
        let size = max(paging.minimumSize, tried.records.count / 2)
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

    func finding(
        _ stream: PlugManifest.Stream,
        _ message: String,
        code: PlugError.Code = .parameterIgnored
    ) -> TrialReport.Finding {
        .init(code: code, message: message, stream: stream.name, isError: false)
    }

    /// A service that refuses the request has not answered the question.
    func failed(_ stream: PlugManifest.Stream, _ answer: TrialReport) -> TrialReport.Finding? {
        answer.run.error.map { error in
            .init(code: error.code, message: "the probe failed: \(error.message)", stream: stream.name, isError: false)
        }
    }
}
