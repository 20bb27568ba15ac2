import CurlTransport
import PlugCore
import PlugManifest

/// The base of relative paths: `http.base`. It may be named by the service together with the token; then it is known only once
/// there is a token, and a renewal may change it.
struct BaseAddress: Sendable {
    /// The address if it is constant for the whole run.
    let fixed: HTTPURL?
    private let granted: (template: Template, roots: TemplateRoots)?
    private let hosts: HostSet
    private let redactor: Redactor
    /// Knows what the service named with the token; `nil` if there is none.
    var tokens: TokenKeeper?

    /// - Throws: `PlugError` `bad-base` if a base that depends on no grant is not a URL on one of `hosts`.
    init(
        _ template: Template?,
        _ roots: TemplateRoots,
        hosts: HostSet,
        redactor: Redactor
    ) throws(PlugError) {
        self.hosts = hosts
        self.redactor = redactor
        guard let template else {
            fixed = nil
            granted = nil
            return
        }
        if template.usedGlobals.contains("grant") {
            fixed = nil
            granted = (template: template, roots: roots)
            return
        }
        granted = nil
        let text = try template.renderText(roots)
        guard let url = try? HTTPURL(text), url.query == nil, hosts.contains(url) else {
            throw PlugError(
                .badBase,
                "'http.base' (\(redactor.shown(link: text))) is not a URL on one of 'hosts' (\(hosts.list))",
                advice: "write a full URL without a query, such as https://api.example.org/v1"
            )
        }
        fixed = url
    }

    /// Whether the service names it.
    var isGranted: Bool { granted != nil }

    /// The current address; `nil` if the manifest has none.
    ///
    /// - Throws: `PlugError` `grant-address` if the service names a place that the token may not be sent to: that is decided by
    ///   the manifest's `hosts`, never by an answer.
    func url() throws(PlugError) -> HTTPURL? {
        guard let granted else { return fixed }
        var roots = granted.roots
        roots.grant = tokens?.granted
        let text = try granted.template.renderText(roots)
        guard let url = try? HTTPURL(text), url.query == nil, hosts.contains(url),
            url.isSecure || AuthAddress.isLoopback(url)
        else {
            throw PlugError(
                .grantAddress,
                "'http.base' (\(redactor.shown(link: text))), which \(tokens?.source.host ?? "the service") gave with the "
                    + "token, is not an https URL on one of 'hosts' (\(hosts.list))",
                advice:
                    "if this host belongs to the service, add it or a pattern such as \"*.example.org\" to 'hosts': the token "
                    + "goes nowhere else",
                reach: .run
            )
        }
        return url
    }
}
