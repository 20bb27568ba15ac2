internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// A plug's description of itself, for the people who may connect it.
struct PlugFacts: Sendable {
    let manifest: Manifest

    init(_ manifest: Manifest) { self.manifest = manifest }

    /// Several plugs by name. Those that can no longer be connected come last.
    static func sorted(_ manifests: some Sequence<Manifest>) -> [PlugFacts] {
        let all = manifests.map(PlugFacts.init).sorted {
            ($0.name.lowercased(), $0.manifest.id) < ($1.name.lowercased(), $1.manifest.id)
        }
        return all.filter { !$0.isClosed } + all.filter(\.isClosed)
    }

    /// Whether it no longer accepts new connections.
    var isClosed: Bool { manifest.status?.state == .closed }
    /// Its name.
    var name: String { text("info", "name") ?? manifest.id }
    /// A one-line summary.
    var headline: String? { text("info", "headline") }
    /// A longer description.
    var description: String? { text("info", "description", "text") }
    /// How the data is used.
    var purpose: String? { text("info", "dataUsePurpose") }
    /// The terms of the service.
    var terms: String? { text("info", "termsUrl") }
    /// The support contact.
    var support: String? { text("info", "supportContact") }
    /// Its author.
    var developer: (name: String, url: String?, country: String?)? {
        text("developer", "name").map { ($0, text("developer", "url"), text("developer", "country")) }
    }

    /// What it delivers, in the manifest's order.
    var streams: [Stream] { manifest.streams.filter { $0.path != nil } }

    /// The servers that it queries. One that the person names is described as such.
    var servers: [String] {
        manifest.hosts.map { host in
            if case .template = host { "the server that you name" } else { host.text }
        }
    }

    /// Where it reads, in a sentence.
    var reach: String {
        let from = (files.isEmpty ? [] : ["the file that it is given"]) + servers
        return from.isEmpty ? "It asks no server." : "It reads from \(Words.list(from)), and nowhere else."
    }

    /// What the person is asked for, besides files and what the service itself asks.
    var questions: [String] { manifest.config.filter { $0.type != .file }.map { $0.title ?? $0.name } }

    /// The files that it reads.
    var files: [String] { manifest.config.filter { $0.type == .file }.map { $0.title ?? $0.name } }

    /// Whether it reads nothing but files.
    var readsFilesOnly: Bool { manifest.readsArchivesOnly(Set(streams.map(\.name))) }

    /// How the person grants access.
    var way: String {
        if let consent = manifest.authorization.consent {
            return consent.isInBrowser
                ? "You log in at the service itself. plughost never sees your password."
                : "You type a short code on a page of the service. plughost never sees your password."
        }
        guard case .none = manifest.authorization else {
            return "You give a key or a login of the service. It is kept encrypted and never shown again."
        }
        if readsFilesOnly {
            return "It logs in nowhere: it reads what the service has given you as a file."
        }
        // Such as the private address of a calendar, or what a program logs in with.
        if manifest.config.contains(where: \.isSecret) {
            return "What you give it opens the service. It is kept encrypted and never shown again."
        }
        if manifest.program != nil { return "Its program reads the service with what you give it." }
        return "It reads what everybody can read, so there is nothing to log in to."
    }

    /// The permissions that it requests from the service, as far as the manifest states them literally; `nil` if there are none.
    var scopes: HTML? {
        guard case .oauth2(let settings) = manifest.authorization else { return nil }
        let names = settings.scopes.map(\.source).filter { !$0.contains("{{") }
        return names.isEmpty ? nil : names.map { HTML("<code>\($0)</code>") }.joined(separator: ", ")
    }

    /// Who can use the service, if not everyone can.
    ///
    /// - Parameters:
    ///   - closed: The first words if nobody new can.
    ///   - limited: The first words if some can.
    ///   - next: What follows about the plug that replaces it; `nil` for nothing.
    func status(closed: String, limited: String, next: (String) -> HTML?) -> HTML? {
        manifest.status.map { status in
            let who = status.state == .closed ? closed : limited
            return "<p><b class=\"warn\">\(who)</b> \(status.text)\(status.successor.flatMap(next))</p>"
        }
    }

    private func text(_ path: String...) -> String? {
        var value = manifest.application
        for key in path { value = value?[key] }
        return value?.stringText.flatMap { $0.isEmpty ? nil : $0 }
    }
}
