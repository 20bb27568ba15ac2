package import PlugModules

/// The fetcher in Swift that reads a stream.
package struct ModuleSource: Sendable {
    /// Its type, as registered with this host.
    package var fetcher: any StreamFetcher.Type
    /// Its options from the manifest, with templates; `nil` for none.
    package var options: JSONTemplate?

    /// Its name.
    package var name: String { fetcher.name }
}
