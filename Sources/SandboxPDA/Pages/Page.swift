internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// The page that shows what arrived. No script, nothing from elsewhere.
enum Page {
    /// What the page shows.
    struct Content: Sendable {
        var host: String
        var owner: String
        /// Only this endpoint's records, `nil` for all.
        var endpoint: String?
        var counts: [SandboxCount] = []
        var applications: [JSONValue] = []
        var records: [SandboxRecord] = []
    }

    /// Adds the headers that every page has.
    static func secured(_ answer: Answer) -> Answer {
        var answer = answer
        answer.headers += [
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "same-origin"),
            ("Cache-Control", "no-store"),
        ]
        return answer
    }

    static func answer(title: String, class name: String, _ body: String) -> Answer {
        let html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(HTML.escaped(title))</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/assets/sandbox.css">
            </head>
            <body class="\(name)">
            \(body)
            </body>
            </html>

            """
        return secured(Answer(type: Answer.html, body: Array(html.utf8)))
    }

    static func logIn(failed: Bool) -> Answer {
        answer(
            title: "Log in · Sandbox PDA",
            class: "narrow",
            """
            <main>
            <h1>Sandbox PDA</h1>
            <p>A personal data account on this machine. What it holds is for its owner to see.</p>
            \(failed ? "<p class=\"wrong\" role=\"alert\">That is not the password.</p>" : "")
            <form method="post" action="/login">
            <label for="password">Owner’s password</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
            <button>Log in</button>
            </form>
            </main>
            """
        )
    }

    /// An address that no route has: 200, as the reference server's single page is everywhere.
    static func unknown(_ path: String) -> Answer {
        answer(
            title: "Nothing here · Sandbox PDA",
            class: "narrow",
            """
            <main>
            <h1>Nothing here</h1>
            <p>The sandbox has no route <code>\(HTML.escaped(path))</code>. A PDA answers an unknown address with a page
            and status 200, so check the content type before you read JSON.</p>
            <p><a href="/">What arrived</a></p>
            </main>
            """
        )
    }

    static var stylesheet: Answer {
        var answer = Answer(type: "text/css; charset=UTF-8", body: Array(Stylesheet.text.utf8))
        answer.headers += [("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-cache")]
        return answer
    }
}

extension Page.Content {
    var answer: Answer {
        let total = counts.reduce(0) { $0 + $1.records }
        return Page.answer(
            title: "\(total) records · Sandbox PDA",
            class: "wide",
            """
            <header>
            <div><h1>Sandbox PDA</h1><p><code>\(HTML.escaped(host))</code> · \(HTML.escaped(owner))</p></div>
            <nav><a href="/\(endpoint.map { "?at=" + PercentEncoding.segment($0) } ?? "")">Refresh</a>
            <form method="post" action="/logout"><button>Log out</button></form></nav>
            </header>
            <main>
            <dl class="tiles">
            \(tile("Records", total))\(tile("Endpoints", counts.count))\(tile("Applications", applications.count))
            </dl>
            \(applicationsSection)\(countsSection)\(recordsSection)
            </main>
            """
        )
    }

    private func tile(_ name: String, _ count: Int) -> String {
        "<div><dt>\(name)</dt><dd>\(grouped(count))</dd></div>"
    }

    /// `12 345`, with narrow spaces.
    private func grouped(_ count: Int) -> String {
        var text = ""
        for (at, digit) in String(count).reversed().enumerated() {
            if at > 0, at % 3 == 0 { text.append("\u{202F}") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    private var applicationsSection: String {
        if applications.isEmpty { return "" }
        let items = applications.map { state in
            let definition = state["application"] ?? .null
            let name = definition["info"]?["name"]?.stringText ?? definition["id"]?.stringText ?? ""
            let (title, kind) = condition(state)
            let recent = state["mostRecentData"]?.stringText.map { " · last data \(HTML.escaped(readable($0)))" } ?? ""
            let roles = (definition["permissions"]?["rolesGranted"]?.elements ?? []).map { role in
                let detail = role["detail"]?.stringText.map { " \($0)" } ?? ""
                return "<code>\(HTML.escaped((role["role"]?.stringText ?? "") + detail))</code>"
            }
            return """
                <li><div><strong>\(HTML.escaped(name))</strong> <span class="state \(kind)">\(title)</span></div>
                <p>\(HTML.escaped(definition["info"]?["headline"]?.stringText ?? ""))</p>
                <p class="quiet">\(HTML.escaped(definition["id"]?.stringText ?? "")) \
                \(HTML.escaped(definition["info"]?["version"]?.stringText ?? ""))\(recent)</p>
                <p class="quiet">May: \(roles.isEmpty ? "nothing" : roles.joined(separator: " "))</p></li>
                """
        }
        return "<section><h2>Applications</h2><ul class=\"cards\">\(items.joined())</ul></section>"
    }

    private func condition(_ state: JSONValue) -> (String, String) {
        if state["enabled"]?.bool == true {
            if state["needsUpdating"]?.bool == true { return ("needs updating", "warn") }
            return state["mostRecentData"] == nil ? ("set up, no data yet", "warn") : ("connected", "good")
        }
        return state["setup"]?.bool == true ? ("disabled", "off") : ("not connected", "off")
    }

    private var countsSection: String {
        if counts.isEmpty {
            return "<section><h2>Endpoints</h2><p class=\"quiet\">Nothing has arrived yet.</p></section>"
        }
        let most = counts.map(\.records).max() ?? 1
        let rows = counts.map { count in
            let name = HTML.escaped(count.endpoint)
            let isShown = count.endpoint == endpoint
            return """
                <tr\(isShown ? " class=\"shown\"" : "")><td><a href="/?at=\(PercentEncoding.segment(count.endpoint))">\(name)</a></td>
                <td><meter min="0" max="\(most)" value="\(count.records)"></meter></td>
                <td class="number">\(grouped(count.records))</td>
                <td class="quiet">\(readable(Timestamp.text(milliseconds: count.newest)))</td></tr>
                """
        }
        return """
            <section><h2>Endpoints</h2><div class="scroll"><table>
            <thead><tr><th>Endpoint</th><th></th><th class="number">Records</th><th>Newest</th></tr></thead>
            <tbody>\(rows.joined())</tbody></table></div></section>
            """
    }

    private var recordsSection: String {
        if records.isEmpty { return "" }
        let title =
            endpoint.map { "Newest at <code>\(HTML.escaped($0))</code> <a href=\"/\">all</a>" } ?? "Newest records"
        let items = records.map { record in
            """
            <li><p class="quiet"><code>\(HTML.escaped(record.endpoint))</code> \
            <time>\(readable(Timestamp.text(milliseconds: record.date)))</time> <span class="id">\(HTML.escaped(record.id))</span></p>
            <pre>\(HTML.json(record.data))</pre></li>
            """
        }
        return "<section><h2>\(title)</h2><ol class=\"records\">\(items.joined())</ol></section>"
    }

    /// `2024-05-01 07:00:03 UTC`
    private func readable(_ timestamp: String) -> String {
        timestamp.prefix(19).replacing("T", with: " ") + " UTC"
    }
}
