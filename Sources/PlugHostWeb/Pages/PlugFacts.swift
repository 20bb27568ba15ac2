internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// What a plug says of itself, for the people who may connect it.
struct PlugFacts: Sendable {
    let manifest: Manifest

    init(_ manifest: Manifest) { self.manifest = manifest }

    /// Whether nobody new can connect it any more.
    var isClosed: Bool { manifest.status?.state == .closed }
    /// What it is called.
    var name: String { text("info", "name") ?? manifest.id }
    /// One line about it.
    var headline: String? { text("info", "headline") }
    /// More about it.
    var description: String? { text("info", "description", "text") }
    /// What is done with the data.
    var purpose: String? { text("info", "dataUsePurpose") }
    /// The terms of the service.
    var terms: String? { text("info", "termsUrl") }
    /// Whom to ask.
    var support: String? { text("info", "supportContact") }
    /// Who has made it.
    var developer: (name: String, url: String?, country: String?)? {
        text("developer", "name").map { ($0, text("developer", "url"), text("developer", "country")) }
    }

    /// What it delivers, in the manifest's order.
    var streams: [Stream] { manifest.streams.filter { $0.path != nil } }

    /// The servers that it asks. One that the person names is called so.
    var servers: [String] {
        manifest.hosts.map { host in
            if case .template = host { "the server that you name" } else { host.text }
        }
    }

    /// What the person is asked for, beside what the service itself asks.
    var questions: [String] { manifest.config.map { $0.title ?? $0.name } }

    /// How the person lets it in.
    var way: String {
        if let consent = manifest.authorization.consent {
            return consent.isInBrowser
                ? "You log in at the service itself. plughost never sees your password."
                : "You type a short code on a page of the service. plughost never sees your password."
        }
        if case .none = manifest.authorization {
            return "It reads what everybody can read, so there is nothing to log in to."
        }
        return "You give a key or a login of the service. It is kept encrypted and never shown again."
    }

    /// What it asks the service to be allowed, where the manifest says it word for word.
    var scopes: [String] {
        guard case .oauth2(let settings) = manifest.authorization else { return [] }
        return settings.scopes.map(\.source).filter { !$0.contains("{{") }
    }

    private func text(_ path: String...) -> String? {
        var value = manifest.application
        for key in path { value = value?[key] }
        return value?.stringText.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Links to other sites.
enum WebLink {
    /// A link; the text alone where the address is none of the web, so that no page of this host leads to a program.
    static func html(_ address: String, _ text: String) -> HTML {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard ["https", "http"].contains(scheme), address.dropFirst(scheme.count).hasPrefix("://") else {
            return .text(text)
        }
        return "<a href=\"\(address)\" rel=\"noreferrer\">\(text)</a>"
    }
}
