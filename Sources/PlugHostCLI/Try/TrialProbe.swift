internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime

/// Finds out whether a service looks at the parameters that it is sent: it is asked once more for each stream, with another value.
struct TrialProbe {
    private let reading: TrialReading

    init(_ reading: TrialReading) { self.reading = reading }

    /// Asks again for each stream, and adds what that shows.
    func look(into report: inout TrialReport) async {
        for stream in report.streams {
            // Streams with parents would cost the parents' requests, too.
            guard let definition = reading.plug.manifest.stream(stream.name), definition.parent == nil,
                stream.records.count > 1, !Task.isCancelled
            else { continue }
            var finding = await sinceFinding(definition, stream)
            if finding == nil { finding = await sizeFinding(definition, stream) }
            if let finding { report.findings.append(finding) }
        }
    }

    /// That records come which are older than what was asked for: the newest of those that have come may be asked for, and nothing
    /// before it.
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

    /// That pages have more records than were asked for.
    private func sizeFinding(_ stream: PlugManifest.Stream, _ tried: TrialReport.Stream) async -> TrialReport.Finding? {
        guard stream.since?.send.isEmpty ?? true, let paging = stream.paging, paging.sendsSize,
            case let size = max(paging.minimumSize, tried.records.count / 2), size < tried.records.count
        else { return nil }
        var manifest = reading.plug.manifest
        for at in manifest.streams.indices where manifest.streams[at].name == stream.name {
            manifest.streams[at].paging = paging.sized(size)
        }
        var request = reading.plug.request([stream.name])
        request.manifest = manifest
        let answer = await reading.read(request, Trial(pages: 1, records: 0))
        guard answer.run.error == nil, let again = answer.streams.first else { return failed(stream, answer) }
        guard again.counts.fetched + again.counts.dropped > size else { return nil }
        return finding(
            stream,
            "\(stream.places["page.size"]): the service does not look at the page size: asked for \(size) records, it gives "
                + "\(again.counts.fetched + again.counts.dropped)"
        )
    }

    private func finding(_ stream: PlugManifest.Stream, _ message: String) -> TrialReport.Finding {
        .init(code: .parameterIgnored, message: message, stream: stream.name, isError: false)
    }

    /// A service that refuses the question has not answered it.
    private func failed(_ stream: PlugManifest.Stream, _ answer: TrialReport) -> TrialReport.Finding? {
        answer.run.error.map { error in
            .init(code: error.code, message: "the probe failed: \(error.message)", stream: stream.name, isError: false)
        }
    }

    /// The greatest value of `since.field` among the records that are shown, where they have different ones.
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
