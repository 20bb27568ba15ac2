internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// GET `/data-debit/KEY`, or `/data-debit/KEY/quick-confirm?redirect=URL&fallback=URL`: what is to be read, and for whom.
    func askDebit(_ key: String, _ request: ServedRequest) async throws -> Answer {
        guard let form = sessions.formToken(request.header("Cookie")) else {
            return Page.logIn(request, next: request.target, failed: false)
        }
        guard let debit = try await store.dataDebit(key), let latest = debit.latest else { return Self.noDebit(key) }
        let redirect = request.parameter("redirect") ?? ""
        let fallback = request.parameter("fallback") ?? ""
        let targets = [try await returnTarget(redirect, debit), try await returnTarget(fallback, debit)]
        let origins = Set(targets.compactMap { $0?.origin }).sorted().joined(separator: " ")
        let now = clock.milliseconds
        let active = debit.active(at: now)
        let terms = WebLink.html(latest.termsURL, "Terms")
        return Page.answer(
            title: "\(debit.clientName) · Sandbox PDA",
            class: "narrow",
            formTarget: origins.isEmpty ? nil : origins,
            """
            <main>
            <h1>\(debit.clientName)</h1>
            <p class="quiet"><code>\(key)</code> \(terms)</p>
            <p><span class="state \(active == nil ? "off" : "good")">\(active == nil ? "not active" : "active")</span></p>
            <p>\(latest.purpose)</p><p>\(debit.description ?? "")</p>
            <h2>It receives</h2><ul class="plain">\(Self.properties(latest.bundle))</ul>
            \(latest.conditions.map(Self.conditions))
            <p class="quiet">\(Self.duration(latest))</p>
            <form method="post" action="/data-debit/\(key)">
            \(Page.hidden(VisitorForm.field, form))\
            \(Page.hidden("redirect", redirect))\(Page.hidden("fallback", fallback))
            \(Self.buttons(isAccepted: latest.isActive(at: now), isActive: active != nil))
            </form>
            </main>
            """
        )
    }

    private static func noDebit(_ key: String) -> Answer {
        Page.notice(404, "Unknown data debit", "There is no data debit '\(key)' in this account.")
    }

    private static func buttons(isAccepted: Bool, isActive: Bool) -> HTML {
        var buttons: HTML = ""
        if !isAccepted { buttons += "<button name=\"decision\" value=\"enable\">Agree</button>" }
        if isActive {
            buttons += """
                <button class="plain" name="decision" value="disable">End it now</button>
                <button class="plain" name="decision" value="disable-later">End it after this period</button>
                """
        }
        return buttons
            + "<button class=\"plain\" name=\"decision\" value=\"leave\">\(isAccepted ? "Back" : "Not now")</button>"
    }

    private static func conditions(_ bundle: DataBundle) -> HTML {
        "<h2>Only if there is</h2><ul class=\"plain\">\(properties(bundle))</ul>"
    }

    private static func properties(_ bundle: DataBundle) -> HTML {
        bundle.properties.map { property -> HTML in
            let endpoints = property.query.endpoints.map { query -> HTML in
                let filters = query.filters?.isEmpty ?? true ? "" : ", filtered"
                let links = query.links == nil ? "" : ", with linked records"
                return "<code>\(query.endpoint)</code>\(filters)\(links)"
            }
            let limit = property.query.limit.map { ", at most \($0)" } ?? ""
            return """
                <li><strong>\(property.name)</strong> from \(endpoints.joined(separator: ", "))\(limit)</li>
                """
        }.joined()
    }

    private static func duration(_ permission: DataDebit.Permission) -> String {
        let start = Timestamp.text(milliseconds: permission.start).prefix(10)
        let days = permission.period / 86_400
        let period = days > 0 ? days.counted("day") : "\(permission.period) seconds"
        return permission.cancelsAtPeriodEnd
            ? "From \(start), for \(period)." : "From \(start), renewed every \(period) until you end it."
    }

    /// POST `/data-debit/KEY`
    func decideDebit(_ key: String, _ request: ServedRequest) async throws -> Answer {
        let form = try await ownersForm(request)
        func field(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }
        let now = clock.milliseconds
        let debit: DataDebit?
        let decision = field("decision")
        switch decision {
        case "enable": debit = try await store.enableDebit(key)
        case "disable": debit = try await store.disableDebit(key, atPeriodEnd: false, at: now)
        case "disable-later": debit = try await store.disableDebit(key, atPeriodEnd: true, at: now)
        default: debit = try await store.dataDebit(key)
        }
        guard let debit else { return Self.noDebit(key) }
        statuses.clear()
        // The reference page opens exactly one of the two addresses, unchanged.
        let address = field(decision == "leave" ? "fallback" : "redirect")
        guard try await returnTarget(address, debit) != nil else {
            return Page.secured(.redirect(to: decision == "leave" ? "/" : "/data-debit/\(key)"))
        }
        return leave(to: address)
    }

    /// Where the browser may continue: an address that the data debit's application names, or its client's own site.
    private func returnTarget(_ redirect: String, _ debit: DataDebit) async throws -> RedirectTarget? {
        guard let target = RedirectTarget(redirect) else { return nil }
        if let id = debit.applicationID, let application = try await application(id), target.isAllowed(by: application)
        {
            return target
        }
        guard let client = RedirectTarget(debit.clientURL), ["http", "https"].contains(client.scheme) else {
            return nil
        }
        return client.origin == target.origin ? target : nil
    }
}
