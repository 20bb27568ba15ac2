internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugStorage
internal import Throttling

// What a run reads: the streams that were asked for, and the fetcher that the manifest declares.
extension PlugRun {
    /// The streams that are delivered: all, or those that were asked for.
    ///
    /// - Throws: `PlugError` `since-unused`, `unknown-stream`.
    func selectedStreams() throws(PlugError) -> [Stream] {
        let delivered = request.manifest.streams.filter { $0.path != nil }
        if request.since != nil, !delivered.contains(where: request.manifest.readsIncrementally) {
            throw PlugError(
                .sinceUnused,
                "--since has no effect: no stream of the plug '\(request.manifest.id)' has 'since'",
                advice: "leave out --since; such streams are read completely every time"
            )
        }
        guard let names = request.streams else { return try readable(delivered) }
        for name in names where !delivered.contains(where: { $0.name == name }) {
            throw PlugError(
                .unknownStream,
                exit: .usage,
                "the plug '\(request.manifest.id)' delivers no stream '\(DisplayText.escaped(name))'",
                advice: "its streams are: \(delivered.map(\.name).joined(separator: ", "))"
            )
        }
        return try readable(delivered.filter { names.contains($0.name) })
    }

    /// The same streams.
    ///
    /// - Throws: `PlugError` `archive-not-given` if nothing can be read of any of them.
    private func readable(_ streams: [Stream]) throws(PlugError) -> [Stream] {
        let files = streams.compactMap { $0.archive?.file }
        guard let file = files.first, files.count == streams.count,
            files.allSatisfy({ request.config[JSONString($0)] == nil })
        else { return streams }
        throw PlugError(
            .archiveNotGiven,
            "the plug '\(request.manifest.id)' reads an export, and none was given",
            advice: "give its path: --config \(file)=FILE"
        )
    }

    /// The error of a run of whose archives no entry was read; `nil` if there are none, or another error says why.
    func archivesWithoutEntries(_ streams: [Stream], _ report: RunReport) -> PlugError? {
        let read = streams.filter { $0.archive.map { request.config[JSONString($0.file)] != nil } ?? false }
        guard let first = read.first, report.error == nil, read.allSatisfy({ tally.lacksEntries($0.name) }) else {
            return nil
        }
        return PlugError(
            .archiveLacksEntries,
            "nothing was read: no entry of the file in 'config.\(first.archive?.file ?? "")' belongs to a stream of this plug",
            advice: "give the export that the plug's README describes; 'unzip -l FILE' lists what a file has"
        )
    }

    /// The fetcher that the manifest declares for the source.
    func sourceFetcher(_ connection: ConnectionID) throws(PlugError) -> any Fetcher {
        guard request.manifest.program != nil else { return try declarativeFetcher(connection) }
        guard let means = request.programs else {
            throw PlugError(
                .programsOff,
                "the plug '\(request.manifest.id)' is read by a program, and nothing runs programs here",
                advice: "use 'plughost run', 'plughost try' or 'plughost serve'"
            )
        }
        let observer = observer
        return try SingerFetcher(
            manifest: request.manifest,
            config: request.config,
            means: means,
            clock: clock,
            isPreview: request.isDryRun
        ) { observer(.fetch($0)) }
    }

    private func declarativeFetcher(_ connection: ConnectionID) throws(PlugError) -> any Fetcher {
        let (observer, tally) = (observer, tally)
        var options = FetchOptions()
        options.connection = connection
        options.since = request.since
        options.pageLimit = request.trial?.pages
        options.readsAhead = request.trial == nil
        options.firstDay = request.firstDay
        options.readsUnchanged = request.resends
        options.isTrial = request.isDryRun
        options.grants = grants
        options.clients = request.clients
        options.streams = request.streams.map(Set.init)
        options.answerRoom = answerRoom
        options.scratchRoom = ScratchRoom(limit: request.limits.scratch)
        options.blockRecords = request.limits.blockRecords
        options.largestWholePage = request.limits.largestWholePage ?? options.largestWholePage
        if let folder = store?.scratchFolder { options.scratchFolder = folder }
        return try DeclarativeFetcher(
            manifest: request.longestWait.map { request.manifest.waiting(atMost: $0) } ?? request.manifest,
            config: request.config,
            transport: throttling.transport,
            clock: clock,
            limits: throttling.limits,
            options: options
        ) {
            tally.note($0)
            observer(.fetch($0))
        }
    }

    /// Redacts what the person keeps secret, and what the fetcher has derived from it.
    func redactor(_ fetcher: any Fetcher) -> Redactor {
        (fetcher as? DeclarativeFetcher)?.redactor ?? (fetcher as? SingerFetcher)?.redactor
            ?? Redactor(request.manifest, config: request.config)
    }
}
