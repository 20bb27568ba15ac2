internal import LosslessJSON
internal import PlugCore
package import PlugManifest

/// All plugs of a catalogue on one page that needs no host: a card for each, built from its manifest.
package struct CataloguePage: Sendable {
    private let plugs: [PlugFacts]

    /// A page about these plugs.
    package init(_ manifests: [Manifest]) { plugs = PlugFacts.sorted(manifests) }

    /// The whole page: no script, nothing from other sites.
    package var html: String {
        let count = plugs.count.counted("plug")
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>Plugs · plughost</title>
            <style>
            \(HTML(stringLiteral: Stylesheet.text))
            .cards dl { font-size: .875rem; margin: .5rem 0 0; }
            </style>
            </head>
            <body>
            <main id="main">
            <h1>Plugs</h1>
            <p class="lead">\(count). Each copies what a service knows about you to your Personal Data Account (PDA). It only adds to your
            PDA, and reads nothing there.</p>
            <ul class="cards">
            \(plugs.map(Self.card).joined(separator: "\n"))
            </ul>
            </main>
            </body>
            </html>

            """
        return page.text
    }

    private static func card(_ facts: PlugFacts) -> HTML {
        let manifest = facts.manifest
        let status = facts.status(closed: "Closed.", limited: "Limited availability.") {
            " See <a href=\"#\($0)\">\($0)</a>."
        }
        let streams = facts.streams.map { stream -> HTML in
            let every = stream.options.every.map { " \(Words.every($0))" } ?? ""
            return "\(Words.stream(stream.name))\(every.isEmpty ? nil : HTML("<span class=\"quiet\">\(every)</span>"))"
        }
        let scopes: HTML? = facts.scopes.map { "<dt>Asks for</dt><dd>\($0)</dd>" }
        let given = facts.questions + facts.files
        let servers: HTML? =
            facts.servers.isEmpty ? nil : "<dt>Reads from</dt><dd>\(Words.list(facts.servers))</dd>\n"
        let questions: HTML? =
            given.isEmpty ? nil : "<dt>You give</dt><dd>\(given.joined(separator: "; "))</dd>"
        return """
            <li id="\(manifest.id)"><h2>\(facts.name)</h2>
            <p>\(facts.headline ?? "")</p>
            \(status)
            <dl>
            <dt>Brings</dt><dd>\(streams.joined(separator: ", "))</dd>
            <dt>Log-in</dt><dd>\(facts.way)</dd>
            \(questions)
            \(scopes)
            \(servers)<dt>Writes to</dt><dd><code>\(manifest.namespace)</code></dd>
            <dt>Plug</dt><dd><code>\(manifest.id)</code> \(manifest.version)</dd>
            </dl></li>
            """
    }
}
