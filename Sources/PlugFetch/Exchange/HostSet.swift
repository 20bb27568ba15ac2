import CurlTransport
import PlugCore
import PlugManifest

/// The places that requests of a connection may go to.
struct HostSet: Sendable {
    private let patterns: [HostPattern]
    /// Whether the user configures where requests go: then connections of the plug do not read the same hosts.
    let areConfigured: Bool

    /// Renders the hosts that the user configures. An unset one is left out if there are others.
    ///
    /// - Throws: `PlugError` `bad-host` if the configured value is not a single host.
    init(_ patterns: [HostPattern], _ roots: TemplateRoots) throws(PlugError) {
        var rendered: [HostPattern] = []
        areConfigured = patterns.contains { if case .template = $0 { true } else { false } }
        for pattern in patterns {
            guard case .template(let template) = pattern else {
                rendered.append(pattern)
                continue
            }
            let text: String
            do throws(PlugError) { text = try template.renderText(roots) } catch {
                if patterns.count > 1, error.code == .open(.templateUndefined) { continue }
                throw error
            }
            guard let host = HostPattern.parse(text), case .exact = host else {
                throw PlugError(
                    .badHost,
                    "the value configured for \(template.source) is not a host",
                    advice: "give a name such as example.org, without https:// and without a path"
                )
            }
            rendered.append(host)
        }
        self.patterns = rendered
    }

    /// Whether requests may go there.
    func contains(_ url: HTTPURL) -> Bool {
        patterns.contains { $0.matches(host: url.host, port: url.port, scheme: url.scheme) }
    }

    /// Whether connections may go there.
    func contains(host: String, port: Int, scheme: String) -> Bool {
        patterns.contains { $0.matches(host: host, port: port, scheme: scheme) }
    }

    /// Identifies the same places regardless of the order in which they are written.
    var name: String { patterns.map(\.text).sorted().joined(separator: " ") }

    /// The patterns, for messages.
    var list: String { patterns.map(\.text).joined(separator: ", ") }
}
