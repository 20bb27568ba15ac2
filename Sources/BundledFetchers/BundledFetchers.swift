package import PlugModules

/// The fetchers in Swift of the plugs that come with plughost.
package enum BundledFetchers {
    /// All of them.
    package static let all: [any StreamFetcher.Type] = [JMAPEmails.self, MatrixTimeline.self]
}
