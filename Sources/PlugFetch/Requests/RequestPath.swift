import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest

/// The address that a path template leads to.
struct RequestPath {
    let template: Template
    let base: HTTPURL?
    let exchange: Exchange

    /// The address, among the plug's hosts.
    func url(_ roots: TemplateRoots) throws(PlugError) -> HTTPURL {
        let url = template.isWhole ? try reference(roots) : try joined(roots)
        guard exchange.hosts.contains(url) else {
            throw PlugError(
                .hostOutside,
                "\(exchange.redactor.shown(url)) is not on one of the plug's hosts (\(exchange.hosts.list))",
                advice: "add the host to 'hosts' if the plug is meant to read there"
            )
        }
        return url
    }

    /// One whole template: a reference, sent as it stands.
    private func reference(_ roots: TemplateRoots) throws(PlugError) -> HTTPURL {
        let value = try template.render(roots)
        let text = value.stringText ?? value.compactText
        for expression in template.expressions {
            exchange.redactor.learn(.text(String(text.prefix { $0 != "?" && $0 != "#" })), of: expression)
        }
        // A relative reference is meant below the base, also if that was written without its last slash.
        let directory = base.flatMap { base in
            base.path.hasSuffix("/") ? base : try? HTTPURL(base.origin + base.path + "/")
        }
        if let directory { return try exchange.follow(text, from: directory, "the path \(template.source)") }
        guard let url = try? HTTPURL(text), exchange.hosts.contains(url) else {
            let shown = exchange.redactor.shown(link: text)
            let name = "the path \(template.source)"
            throw SourceFault.escape(shown, .outside(hosts: exchange.hosts.list, host: nil), from: name)
        }
        return url
    }

    /// Text with templates, each of which fills one segment.
    private func joined(_ roots: TemplateRoots) throws(PlugError) -> HTTPURL {
        var isEmpty = false
        let text = try template.renderText(roots) { value, _ in
            if value.isEmpty { isEmpty = true }
            return HTTPURL.percentEncode(value)
        }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        // An id of `..` would ask for something else, and so would none at all.
        if segments.contains(".") { throw segment("'.'") }
        if segments.contains("..") { throw segment("'..'") }
        let inner = text.contains("://") ? segments.dropFirst(3) : segments.dropFirst(segments.first == "" ? 1 : 0)
        if isEmpty, inner.contains("") { throw segment("empty") }
        do {
            if text.contains("://"), case .text(let first)? = template.parts.first, first.contains("://") {
                return try HTTPURL(text)
            }
            guard let base else { throw HTTPError(.invalidURL, "there is no http.base") }
            let directory = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
            let tail = text.isEmpty ? "" : (text.hasPrefix("/") || text.hasPrefix("?") ? text : "/" + text)
            return try HTTPURL(base.origin + (directory.isEmpty && tail.isEmpty ? "/" : directory + tail))
        } catch {
            throw PlugError(
                .badPath,
                "the path \(template.source) does not make a URL: "
                    + "\((error as? HTTPError)?.message ?? "it is malformed")",
                advice: "check 'path' and 'http.base'"
            )
        }
    }

    private func segment(_ what: String) -> PlugError {
        PlugError(
            .pathSegment,
            "a template in the path \(template.source) gives \(what), so the request would go to another path",
            advice: "check what it refers to"
        )
    }
}
