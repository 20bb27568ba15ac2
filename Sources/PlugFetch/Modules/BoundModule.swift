import LosslessJSON
import PlugCore
import PlugManifest
import PlugModules

/// A stream's fetcher in Swift, with what a run gives it.
struct BoundModule: Sendable {
    let source: ModuleSource
    /// What the manifest tells it, rendered.
    let options: JSONValue
    let host: ModuleHost

    /// The fetcher for one reading.
    ///
    /// - Throws: What the fetcher throws.
    func fetcher(of stream: String, config: JSONValue) throws -> any StreamFetcher {
        try source.fetcher.init(FetchContext(stream: stream, config: config, options: options, host: host))
    }
}
