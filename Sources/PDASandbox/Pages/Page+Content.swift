internal import LosslessJSON
internal import PlugCore

extension Page {
    /// The owner's page: what arrived, who may read and write, and what would have come by mail.
    struct Content: Sendable {
        static let pageSize = 50
        var host: String
        var owner: String
        /// The token for the page's forms.
        var form: String
        /// Only this endpoint's records, `nil` for all.
        var endpoint: String?
        var counts: [SandboxCount] = []
        var applications: [JSONValue] = []
        var debits: [Debit] = []
        var resets: [PasswordReset] = []
        var records: [SandboxRecord] = []
        /// How many newer records are on earlier pages.
        var skip = 0
        var hasOlder = false

        /// A data debit in the list.
        struct Debit: Sendable {
            var key: String
            var client: String
            var purpose: String
            var isActive: Bool
        }
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
            <div><h1>Sandbox PDA</h1><p><code>\(host)</code> · \(owner)</p></div>
            <nav><a href="/\(endpoint.map { "?at=" + PercentEncoding.segment($0) } ?? "")">Refresh</a>
            <form method="post" action="/logout">\(Page.hidden(VisitorForm.field, form))<button>Log out</button></form></nav>
            </header>
            <main>
            <dl class="tiles">
            \(tile("Records", total))\(tile("Endpoints", counts.count))\(tile("Applications", applications.count))
            </dl>
            \(resetsSection)\(applicationsSection)\(debitsSection)\(countsSection)\(recordsSection)
            </main>
            """
        )
    }

    private func tile(_ name: String, _ count: Int) -> HTML {
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

    private var applicationsSection: HTML {
        if applications.isEmpty { return "" }
        let items = applications.map { state -> HTML in
            let definition = state["application"] ?? .null
            let name = definition["info"]?["name"]?.stringText ?? definition["id"]?.stringText ?? ""
            let (title, kind) = condition(state)
            let recent = state["mostRecentData"]?.stringText.map { " · last data \(readable($0))" } ?? ""
            let roles = (definition["permissions"]?["rolesGranted"]?.elements ?? []).map { role -> HTML in
                let detail = role["detail"]?.stringText.map { " \($0)" } ?? ""
                return "<code>\((role["role"]?.stringText ?? "") + detail)</code>"
            }
            return """
                <li><div><strong>\(name)</strong> <span class="state \(kind)">\(title)</span></div>
                <p>\(definition["info"]?["headline"]?.stringText ?? "")</p>
                <p class="quiet">\(definition["id"]?.stringText ?? "") \
                \(definition["info"]?["version"]?.stringText ?? "")\(recent)</p>
                <p class="quiet">May: \(roles.isEmpty ? HTML("nothing") : roles.joined(separator: " "))</p></li>
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

    /// Marks the row of the endpoint shown.
    private static let shown: HTML = " class=\"shown\""

    private var countsSection: HTML {
        if counts.isEmpty {
            return "<section><h2>Endpoints</h2><p class=\"quiet\">Nothing has arrived yet.</p></section>"
        }
        let most = counts.map(\.records).max() ?? 1
        let rows = counts.map { count -> HTML in
            let isShown = count.endpoint == endpoint
            return """
                <tr\(isShown ? Self.shown : nil)><td><a href="/?at=\(PercentEncoding.segment(count.endpoint))">\(count.endpoint)</a></td>
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

    private var recordsSection: HTML {
        if records.isEmpty { return "" }
        let title: HTML = endpoint.map { "Newest at <code>\($0)</code> <a href=\"/\">all</a>" } ?? "Newest records"
        let items = records.map { record -> HTML in
            """
            <li><p class="quiet"><code>\(record.endpoint)</code> \
            <time>\(readable(Timestamp.text(milliseconds: record.date)))</time> <span class="id">\(record.id)</span></p>
            <pre>\(HTML.json(record.data))</pre></li>
            """
        }
        return """
            <section><h2>\(title)</h2><ol class="records">\(items.joined())</ol>
            <p class="pages">\(pages)</p></section>
            """
    }

    /// Links to newer and older records, if there are any.
    private var pages: HTML {
        func link(_ skip: Int, _ text: String) -> HTML {
            let place: HTML? = endpoint.map { "at=\(PercentEncoding.segment($0))&amp;" }
            return "<a href=\"/?\(place)skip=\(max(0, skip))\">\(text)</a>"
        }
        let newer = skip > 0 ? link(skip - Self.pageSize, "← Newer") : nil
        let older = hasOlder ? " " + link(skip + Self.pageSize, "Older →") : nil
        return "\(newer)\(older)"
    }

    private var debitsSection: HTML {
        if debits.isEmpty { return "" }
        let items = debits.map { debit -> HTML in
            let (title, kind) = debit.isActive ? ("active", "good") : ("not active", "off")
            return """
                <li><div><strong><a href="/data-debit/\(debit.key)">\(debit.client)</a></strong>
                <span class="state \(kind)">\(title)</span></div>
                <p>\(debit.purpose)</p><p class="quiet">\(debit.key)</p></li>
                """
        }
        return "<section><h2>Data debits</h2><ul class=\"cards\">\(items.joined())</ul></section>"
    }

    /// What the reference server would have mailed to the owner.
    private var resetsSection: HTML {
        if resets.isEmpty { return "" }
        let items = resets.map { reset -> HTML in
            """
            <li><p>Somebody asked for a new password at \(readable(Timestamp.text(milliseconds: reset.made))). If it was you,
            <a href="/reset?token=\(reset.token)">set one</a>.</p><p class="quiet"><code>\(reset.token)</code></p></li>
            """
        }
        return "<section><h2>Mail</h2><ul class=\"cards\">\(items.joined())</ul></section>"
    }

    /// `2024-05-01 07:00:03 UTC`
    private func readable(_ timestamp: String) -> String {
        timestamp.prefix(19).replacing("T", with: " ") + " UTC"
    }
}
