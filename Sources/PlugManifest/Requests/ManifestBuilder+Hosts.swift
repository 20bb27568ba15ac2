import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// Where requests may go.
    ///
    /// - Parameter mayBeEmpty: Whether nothing is requested: everything is read from exports.
    func hosts(_ node: YAMLNode?, mayBeEmpty: Bool) -> [HostPattern] {
        guard let node, let nodes = node.sequence else { return [] }
        if nodes.isEmpty, !mayBeEmpty {
            let help = "list the hosts that the plug talks to"
            findings.error(.badHost, "'hosts' is empty: no request could be sent", at: node.location, help: help)
        }
        return nodes.compactMap(host)
    }

    private func host(_ node: YAMLNode) -> HostPattern? {
        guard let text = node.scalar?.text else { return nil }
        if text.contains("{{") { return hostTemplate(node) }
        if let pattern = HostPattern.parse(text) { return pattern }
        let message = "'\(MessageText.shortened(text))' is not a host"
        let bare = text.contains("://") ? text.split(separator: "/").dropFirst().first.map(String.init) : nil
        let help = bare.map { "write only '\($0)'" } ?? "write api.example.org, 127.0.0.1:8080 or \"*.example.org\""
        findings.error(.badHost, message, at: node.location, help: help)
        return nil
    }

    private func hostTemplate(_ node: YAMLNode) -> HostPattern? {
        guard let template = template(node, .template("hosts", ["config"])) else { return nil }
        if template.isWhole, let syntax = template.expressions.first?.program.syntax,
            case .index(_, let key) = syntax.node, case .literal(let value) = key.node,
            let name = value.stringText, hostFields.contains(name)
        {
            return .template(template)
        }
        let message = "a host template must be a single config key of type 'host'"
        let help = "declare config.instance with 'type: host' and write \"{{ config.instance }}\""
        findings.error(.badHost, message, at: node.location, help: help)
        return nil
    }

    /// Checks that a URL's constant part is http or https and stays within `hosts`.
    func checkURL(_ template: Template, _ hosts: [HostPattern], of key: String) {
        guard case .text(let first)? = template.parts.first else { return }
        guard let scheme = ["https://", "http://"].first(where: { first.lowercased().hasPrefix($0) }) else {
            let help = "write the full URL: https://api.example.org/v1"
            return findings.error(.badURL, "'\(key)' is not an http or https URL", at: template.location, help: help)
        }
        let rest = first.dropFirst(scheme.count)
        let authority = String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        // A template may continue inside the authority; then the host is known only when it is rendered.
        guard authority.count < rest.count || template.isConstant else { return }
        guard let pattern = HostPattern.parse(authority), case .exact(let host, let port) = pattern else {
            let help = "a URL has a host and optionally a port, but no user and no wildcard"
            let message = "'\(MessageText.shortened(authority))' is not a host"
            return findings.error(.badURL, message, at: template.location, help: help)
        }
        let isOpen = hosts.isEmpty || hosts.contains { if case .template = $0 { true } else { false } }
        let name = String(scheme.dropLast(3))
        if !isOpen, !hosts.contains(where: { $0.matches(host: host, port: port, scheme: name) }) {
            let help = "add it to 'hosts', which lists \(MessageText.list(hosts.map(\.text)))"
            findings.error(.hostOutside, "\(authority) is not one of 'hosts'", at: template.location, help: help)
        }
    }
}
