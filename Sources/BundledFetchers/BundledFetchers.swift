package import PlugModules

/// The Swift fetchers of the plugs bundled with plughost.
package enum BundledFetchers {
    /// All of them.
    package static let all: [any StreamFetcher.Type] = [JMAPEmails.self, MatrixTimeline.self]
}
