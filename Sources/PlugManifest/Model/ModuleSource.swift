package import PlugModules

/// The fetcher in Swift that reads a stream.
package struct ModuleSource: Sendable {
    /// Its type, as it is registered with this host.
    package var fetcher: any StreamFetcher.Type
    /// What the manifest tells it, with templates; `nil` for nothing.
    package var options: JSONTemplate?

    /// Its name.
    package var name: String { fetcher.name }
}
