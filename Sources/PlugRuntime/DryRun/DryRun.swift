internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// A run that reads and normalises, shows what would be delivered, and keeps nothing.
struct DryRun {
    let request: RunRequest
    let fetcher: any Fetcher
    let redactor: Redactor
    let observer: @Sendable (RunEvent) -> Void

    /// Shows the records of some streams.
    ///
    /// - Parameter ended: Receives what was read of a stream, complete even if an error ended it, and the error that a run would
    ///   end with. Returns whether other streams may be read.
    func show(_ streams: [Stream], _ ended: (Stream, StreamCounts, (any Error)?) -> Bool) async {
        if let mixed = fetcher.mixed { return await show(streams, together: mixed, ended) }
        for stream in streams {
            observer(.stream(stream.name))
            guard let preview = StreamPreview(stream, request, redactor, observer) else { continue }
            let error = await reading {
                try await fetcher.withReader(of: stream.name, from: NoStates()) { reader in
                    while let page = try await reader.next() {
                        try preview.take(page)
                        if page.endsPass { break }
                    }
                }
            }
            guard ended(stream, preview.counts, preview.end(error)) else { return }
        }
    }

    /// The same for a source that yields its streams mixed: one process reads them all, as in a run.
    private func show(
        _ streams: [Stream],
        together fetcher: any MixedFetcher,
        _ ended: (Stream, StreamCounts, (any Error)?) -> Bool
    ) async {
        for stream in streams { observer(.stream(stream.name)) }
        let previews = streams.compactMap { StreamPreview($0, request, redactor, observer) }
        var errors: [String: any Error] = [:]
        let limit = request.trial?.pages
        let ending = await reading {
            try await fetcher.withMixedReader(of: streams.map(\.name), from: nil) { reader in
                while let event = try await reader.next() {
                    guard case .page(let name, let page) = event,
                        let preview = previews.first(where: { $0.stream.name == name }), errors[name] == nil,
                        limit.map({ preview.counts.pages < $0 }) ?? true
                    else { continue }
                    do { try preview.take(page) } catch {
                        // What concerns the whole run ends the reading; other errors end this stream.
                        if PlugRun.plugError(error).reach == .run { throw error }
                        errors[name] = error
                    }
                    let isEnough = previews.allSatisfy { preview in
                        errors[preview.stream.name] != nil || limit.map { preview.counts.pages >= $0 } ?? false
                    }
                    if isEnough { break }
                }
            }
        }
        // The program's own error is reported once, with the stream that it names or the first one.
        let failed = (ending as? PlugError)?.stream ?? streams.first?.name
        for preview in previews {
            let name = preview.stream.name
            let error = preview.end(errors[name] ?? (name == failed ? ending : nil))
            _ = ended(preview.stream, preview.counts, error)
        }
    }

    private func reading(_ body: () async throws -> Void) async -> (any Error)? {
        do { try await body() } catch { return error }
        return nil
    }
}
