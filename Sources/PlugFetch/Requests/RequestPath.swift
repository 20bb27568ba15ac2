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

    /// One whole template: a reference, sent unchanged.
    private func reference(_ roots: TemplateRoots) throws(PlugError) -> HTTPURL {
        let value = try template.render(roots)
        let text = value.stringText ?? value.compactText
        for expression in template.expressions {
            exchange.redactor.learn(.text(String(text.prefix { $0 != "?" && $0 != "#" })), of: expression)
        }
        // A relative reference is intended to be below the base, even if that was written without a trailing slash.
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
        var hosts = hostCount
        let text = try template.renderText(roots) { value, _ in
            if value.isEmpty { isEmpty = true }
            hosts -= 1
            return hosts >= 0 && Self.isAuthority(value) ? value : PercentEncoding.segment(value)
        }
        let path = Array(text.utf8).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // An id of `..` would request something else, and so would an empty one.
        if segments.contains(where: { $0.elementsEqual(".".utf8) }) { throw segment("'.'") }
        if segments.contains(where: { $0.elementsEqual("..".utf8) }) { throw segment("'..'") }
        let inner = text.hasScheme ? segments.dropFirst(3) : segments.dropFirst(segments.first?.isEmpty == true ? 1 : 0)
        if isEmpty, inner.contains(where: \.isEmpty) { throw segment("empty") }
        do {
            if text.hasScheme, NamedHosts.isNamed(template) {
                return try HTTPURL(text)
            }
            guard let base else { throw HTTPError(.invalidURL, "there is no http.base") }
            let directory = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
            let tail = text.isEmpty ? "" : (text.hasPrefix("/") || text.hasPrefix("?") ? text : "/" + text)
            return try base.with(
                pathAndQuery: directory.isEmpty && !tail.hasPrefix("/") ? "/" + tail : directory + tail
            )
        } catch {
            throw PlugError(
                .badPath,
                "the path \(template.source) does not make a URL: "
                    + "\((error as? HTTPError)?.message ?? "it is malformed")",
                advice: "check 'path' and 'http.base'"
            )
        }
    }

    /// How many of its templates come before the path, in the host.
    private var hostCount: Int {
        var (text, count) = ("", 0)
        for part in template.parts {
            switch part {
            case .text(let piece): text += piece
            case .program: count += 1
            }
            guard text.hasScheme, let scheme = text.firstRange(of: "://") else {
                if count > 0 { return 0 }
                continue
            }
            if text[scheme.upperBound...].contains(where: { "/?#".contains($0) }) { return count }
        }
        return count
    }

    /// Whether a text is a host, or a host and a port.
    static func isAuthority(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
                true
            default: false
            }
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

extension StringProtocol {
    /// Whether it contains `://`, as in an address. Called per request: a text search costs twenty times as much.
    var hasScheme: Bool {
        var met = 0
        for byte in utf8 {
            switch (met, byte) {
            case (_, UInt8(ascii: ":")): met = 1
            case (1, UInt8(ascii: "/")): met = 2
            case (2, UInt8(ascii: "/")): return true
            default: met = 0
            }
        }
        return false
    }
}
