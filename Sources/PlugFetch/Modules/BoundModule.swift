import LosslessJSON
import PlugCore
import PlugManifest
import PlugModules

/// A stream's fetcher in Swift, with what a run gives it.
struct BoundModule: Sendable {
    let source: ModuleSource
    /// What the manifest tells it, rendered.
    let options: JSONValue
    /// What sends for it: each walk has one of its own, which counts what the walk's pages use.
    let host: @Sendable () -> ModuleHost
}
