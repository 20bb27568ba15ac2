internal import ArgumentParser
internal import CurlTransport
internal import PlugCore
internal import PlugManifest

/// `--source`: servers that replace sources.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Send requests for the first address to the second, such as a mock on this machine. Repeatable.",
            valueName: "origin=origin"
        )
    )
    var source: [String] = []

    private static let advice = "write --source https://api.example.org=http://127.0.0.1:22001"

    /// Where requests go.
    ///
    /// - Parameter manifests: The plugs. An origin that none of them queries is misspelt, and the service itself would be
    ///   queried; without any, there is no check.
    /// - Throws: `PlugError` `bad-source` (usage).
    func routes(of manifests: [Manifest]) throws(PlugError) -> [SourceRoute] {
        var routes: [SourceRoute] = []
        for text in source {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let from = Self.origin(parts[0]), let to = Self.origin(parts[1]) else {
                throw PlugError(
                    .badSource,
                    "'\(DisplayText.escaped(text))' is not of the form ORIGIN=ORIGIN",
                    advice: "\(Self.advice), both without a path"
                )
            }
            let route = SourceRoute(from: from, to: to)
            guard !routes.contains(where: { $0.origin == route.origin }) else {
                throw PlugError(
                    .badSource,
                    "two --source options are for \(route.origin)",
                    advice: "leave out one of them"
                )
            }
            guard manifests.isEmpty || manifests.contains(where: { Self.mayAsk($0, from) }) else {
                let hosts = manifests.flatMap { $0.hosts.map(\.text) }.joined(separator: ", ")
                throw PlugError(
                    .badSource,
                    "no plug sends requests to \(route.origin), so --source would change nothing",
                    advice: "their 'hosts' are: \(hosts)"
                )
            }
            if !manifests.isEmpty, manifests.allSatisfy({ Self.asksOtherwise($0, from) }) {
                throw PlugError(
                    .badSource,
                    "no plug sends requests to \(route.origin) over \(from.scheme), so they would still go to the service itself",
                    advice: "write \(from.scheme == "http" ? "https" : "http")://\(from.host)=…, as in the manifest"
                )
            }
            routes.append(route)
        }
        return routes
    }

    private static func origin(_ text: String) -> HTTPURL? {
        guard let url = try? HTTPURL(text), ["", "/"].contains(url.path), url.query == nil else { return nil }
        return url
    }

    /// Whether a manifest has the host only with the other scheme: `hosts` do not distinguish the two.
    private static func asksOtherwise(_ manifest: Manifest, _ url: HTTPURL) -> Bool {
        let text = String(decoding: manifest.source.content, as: UTF8.self).lowercased()
        let other = url.scheme == "http" ? "https" : "http"
        return text.contains("\(other)://\(url.host)") && !text.contains("\(url.scheme)://\(url.host)")
    }

    /// Whether a plug's requests may go there. The person's configuration is not known yet.
    private static func mayAsk(_ manifest: Manifest, _ url: HTTPURL) -> Bool {
        let isHost = manifest.hosts.contains { host in
            if case .template = host { return true }
            return host.matches(host: url.host, port: url.port, scheme: url.scheme)
        }
        // Token endpoints need not be among 'hosts': such an address is in the manifest, with or without settings.
        let text = String(decoding: manifest.source.content, as: UTF8.self)
        return isHost || text.contains("\(url.origin)/") || names(text, url.origin)
    }

    /// Whether a text has an address with settings in its host that could resolve to this origin.
    private static func names(_ text: String, _ origin: String) -> Bool {
        text.matches(of: /(https?:\/\/[^\s"'\/{]*)(?:\{\{[^}]*\}\}[^\s"'\/{]*)*\{\{[^}]*\}\}([^\s"'\/{]*)/).contains {
            origin.hasPrefix($0.1) && origin.hasSuffix($0.2)
        }
    }
}
