internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import Syncing

/// Public pages: the list of plugs, and what each of them delivers and may do.
struct PlugPages: Sendable {
    /// Everyone; those who are logged in see that they are.
    static let everybody: RouteAccess = [.stranger, .person, .operator]

    private let plugs: HostPlugs

    init(_ plugs: HostPlugs) { self.plugs = plugs }

    var all: [HostRoute] {
        let plugs = plugs
        return [
            HostRoute(.get, "/", Self.everybody) { request in
                switch request.visitor {
                case .person: .redirect(to: "/connections")
                case .operator: .redirect(to: "/operator")
                case .stranger, .pda, .key: request.page(try Self.home(plugs))
                }
            },
            HostRoute(.get, "/plugs", Self.everybody) { try $0.page(Page("Plugs", Self.cards(plugs, level: "h2"))) },
            HostRoute(.get, "/plugs/{plug}", Self.everybody) { request in
                let facts = try Self.facts(request, plugs)
                return request.page(Page(facts.name, try Self.content(facts, plugs, for: request.visitor)))
            },
        ]
    }

    /// The plug that a path names.
    ///
    /// - Throws: `HostRefusal` (404) if the host has none with this id.
    static func facts(_ request: HostRequest, _ plugs: HostPlugs) throws -> PlugFacts {
        guard let manifest = plugs.current.manifests[request.parameter("plug")] else {
            throw HostRefusal.routeUnknown
        }
        return PlugFacts(manifest)
    }

    /// The path of a plug's pages.
    static func path(_ plug: String, _ rest: String = "") -> String { "/plugs/\(PercentEncoding.segment(plug))\(rest)" }

    private static func home(_ plugs: HostPlugs) throws -> Page {
        try Page(
            "Your data, in your own PDA",
            """
            <p>A plug copies what a service knows about you to your Personal Data Account (PDA), and keeps the copy up to
            date. Connect one in a few minutes, and disconnect it whenever you like.</p>
            <p class="row"><a class="button plain" href="/login">My connections</a></p>
            <h2>Plugs</h2>
            \(cards(plugs, level: "h3"))
            """
        )
    }

    /// Those that cannot be connected here come last.
    ///
    /// - Parameter level: The HTML element of their headings.
    private static func cards(_ plugs: HostPlugs, level: HTML) throws -> HTML {
        let current = plugs.current
        let all = try PlugFacts.sorted(current.manifests.values).map { facts in
            (facts: facts, lack: facts.isClosed ? nil : try current.lack(of: facts.manifest).map(LackText.init))
        }
        let ordered =
            all.filter { $0.lack == nil && !$0.facts.isClosed } + all.filter { $0.lack != nil }
            + all.filter(\.facts.isClosed)
        let cards = ordered.map { facts, lack -> HTML in
            let note: HTML? = lack.map { " <span class=\"warn\">\($0.short)</span>" }
            return """
                <li><\(level)><a href="\(path(facts.manifest.id))">\(facts.name)</a></\(level)>
                <p>\(facts.headline ?? "")\(note)</p></li>
                """
        }
        return cards.isEmpty ? "<p>This host has no plugs yet.</p>" : "<ul class=\"cards\">\(cards.joined())</ul>"
    }

    private static func content(_ facts: PlugFacts, _ plugs: HostPlugs, for visitor: Visitor) throws -> HTML {
        let id = facts.manifest.id
        let streams = facts.streams.map { stream -> HTML in
            let every = stream.options.every.map { HTML(" <span class=\"quiet\">\(Words.every($0))</span>") }
            return "<li>\(Words.stream(stream.name))\(every)</li>"
        }
        let questions: HTML? = facts.questions.isEmpty ? nil : "<p>It asks you for: \(Words.list(facts.questions)).</p>"
        let file: HTML = facts.readsFilesOnly ? "It needs a file:" : "From the shell it can also read a file:"
        let files: HTML? = facts.files.isEmpty ? nil : "<p>\(file) \(Words.list(facts.files)).</p>"
        let lack = try facts.isClosed ? nil : plugs.current.lack(of: facts.manifest)
        let scopes: HTML? = facts.scopes.map { "<p>It asks the service for: \($0).</p>" }
        let manifests = plugs.current.manifests
        let status = facts.status(
            closed: "No new connections are possible.",
            limited: "Not everybody can connect this plug."
        ) { successor in
            manifests[successor].map { " <a href=\"\(path($0.id))\">\(PlugFacts($0).name)</a> replaces it." }
        }
        let lead: HTML? = facts.headline.map { "<p class=\"lead\">\($0)</p>" }
        let description: HTML? = facts.description.map { "<p>\($0)</p>" }
        let connect: HTML? =
            facts.isClosed || lack != nil
            ? nil : "<p class=\"row\"><a class=\"button\" href=\"\(path(id, "/connect"))\">Connect</a></p>"
        return """
            \(lead)
            \(description)
            \(status)
            \(lack.map { LackText($0).html(for: visitor) })
            \(connect)
            <h2>What it brings</h2>
            <ul>\(streams.joined())</ul>
            <h2>What it may do</h2>
            <p>\(facts.reach)</p>
            <p>\(facts.way)</p>
            \(questions)
            \(files)
            \(scopes)
            <h2>Where your data goes</h2>
            <p>Into your PDA, under <code>\(facts.manifest.namespace)</code>, and nowhere else. It can only add to it: it reads
            nothing in your PDA. This host keeps records only until your PDA has taken them.</p>
            \(facts.purpose.map { HTML("<p>\($0)</p>") })
            <h2>About</h2>
            \(about(facts))
            """
    }

    private static func about(_ facts: PlugFacts) -> HTML {
        var lines: HTML = ""
        if let developer = facts.developer {
            let name = developer.url.map { WebLink.orText($0, developer.name) } ?? .text(developer.name)
            lines += "<dt>Made by</dt><dd>\(name)\(developer.country.map { HTML(", \($0)") })</dd>"
        }
        if let terms = facts.terms {
            lines += "<dt>Terms</dt><dd>\(WebLink.orText(terms, "Terms of the service"))</dd>"
        }
        if let support = facts.support { lines += "<dt>Questions</dt><dd>\(support)</dd>" }
        return "<dl>\(lines)<dt>Version</dt><dd>\(facts.manifest.version)</dd></dl>"
    }
}
