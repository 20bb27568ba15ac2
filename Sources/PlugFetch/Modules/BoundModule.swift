import LosslessJSON
import PlugCore
import PlugManifest
import PlugModules

/// A stream's Swift fetcher, with what a run provides.
struct BoundModule: Sendable {
    let source: ModuleSource
    /// The manifest's options for it, rendered.
    let options: JSONValue
    /// Makes its host: each walk has its own, which counts what the walk's pages use.
    let host: @Sendable () -> ModuleHost
}
