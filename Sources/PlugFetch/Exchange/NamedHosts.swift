import CurlTransport
internal import PlugCore
import PlugManifest

/// The places that a manifest itself requests, of those in its `hosts`: if a redirect or a link of a source leads to another of
/// them, no credentials are sent there.
enum NamedHosts {
    /// The `host:port` of `http.base` and of the streams' own full URLs, as far as the configuration determines them. What a URL
    /// takes from a parent is known only when it is requested: see `isNamed`.
    ///
    /// - Parameters:
    ///   - fixed: `http.base`, if it depends on no grant.
    ///   - stream: The one that has credentials of its own; `nil` for all that use the plug's.
    static func of(
        _ manifest: Manifest,
        base fixed: HTTPURL?,
        stream own: PlugManifest.Stream? = nil,
        _ roots: TemplateRoots
    ) -> Set<String> {
        var named: Set<String> = []
        let ownPath = own?.request?.path
        if ownPath.map({ !isNamed($0) }) ?? true,
            let base = fixed ?? manifest.http.base.flatMap({ ungranted($0, roots) })
        {
            named.insert(base.hostAndPort)
        }
        let paths =
            ownPath.map { [$0] } ?? manifest.streams.filter { $0.authorization == nil }.compactMap(\.request?.path)
        for path in paths {
            // A path that is one whole template is a link given by the source, unless the user has configured it.
            guard isNamed(path) || path.isWhole && path.usedGlobals.isSubset(of: ["config", "vars"]) else { continue }
            if let url = url(path, roots) { named.insert(url.hostAndPort) }
        }
        return named
    }

    /// The base, rendered without a grant.
    private static func ungranted(_ base: Template, _ roots: TemplateRoots) -> HTTPURL? {
        var roots = roots
        roots.observer = nil
        return (try? base.renderText(roots)).flatMap { try? HTTPURL($0) }
    }

    /// Whether a stream's path itself says which host it leads to.
    static func isNamed(_ path: Template) -> Bool {
        if case .text(let start)? = path.parts.first { start.hasScheme } else { false }
    }

    /// The address as far as its host; the rest does not matter here.
    private static func url(_ template: Template, _ roots: TemplateRoots) -> HTTPURL? {
        var roots = roots
        roots.observer = nil
        var text = ""
        for part in template.parts {
            // The rest may depend on what is not known yet.
            if let end = authorityEnd(text) { return try? HTTPURL(String(text[..<end])) }
            switch part {
            case .text(let piece): text += piece
            case .program:
                var single = template
                (single.parts, single.constant) = ([part], nil)
                guard let value = try? single.renderText(roots) else { return nil }
                // As in `RequestPath`: a host may have a port.
                text += template.isWhole || RequestPath.isAuthority(value) ? value : PercentEncoding.segment(value)
            }
        }
        return try? HTTPURL(authorityEnd(text).map { String(text[..<$0]) } ?? text)
    }

    /// Where the authority of a URL ends, `nil` if it may continue.
    private static func authorityEnd(_ text: String) -> String.Index? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        return text[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
    }
}
