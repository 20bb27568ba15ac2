import PlugCore

extension ManifestBuilder {
    /// How requests prove who asks; `nil` if that is wrong.
    func authorization(_ keys: CheckedMapping) -> Authorization? {
        guard let node = keys["auth"] else { return keys.isWritten("auth") ? nil : Authorization.none }
        if node.scalar != nil { return Authorization.none }
        let scope = ProgramScope.template("auth", Self.connectionRoots)
        guard let auth = CheckedMapping(node, Tables.auth, at: keys.location("auth"), findings),
            let kind = auth.kind(of: Tables.auth, findings)
        else { return nil }
        switch kind.key {
        case "bearer":
            let bearer = CheckedMapping(kind.value, Tables.bearer, at: kind.keyLocation, findings)
            return header(bearer?["token"], scope).map { .bearer($0) }
        case "basic":
            guard let basic = CheckedMapping(kind.value, Tables.basic, at: kind.keyLocation, findings) else {
                return nil
            }
            let username = template(basic["username"], scope)
            let password = template(basic["password"], scope)
            guard let username, let password else { return nil }
            return .basic(username: username, password: password)
        default: return key(kind, scope)
        }
    }

    private func key(_ kind: YAMLEntry, _ scope: ProgramScope) -> Authorization? {
        guard let keys = CheckedMapping(kind.value, Tables.key, at: kind.keyLocation, findings) else { return nil }
        let place = keys.text("in").flatMap(Authorization.KeyPlace.init(rawValue:))
        if place == .header, let name = keys["name"] { checkHeaderName(name.scalar?.text ?? "", at: name.location) }
        let value = place == .header ? header(keys["value"], scope) : template(keys["value"], scope)
        guard let place, let name = keys.text("name"), let value else { return nil }
        return .key(place: place, name: name, value: value)
    }

    /// What all requests share; `nil` if that is wrong.
    func http(_ node: YAMLNode?, hosts: [HostPattern]) -> HTTPSettings? {
        var settings = HTTPSettings(
            base: nil,
            headers: [],
            timeout: .seconds(30),
            maximumBody: 16 << 20,
            limits: [],
            concurrency: nil,
            retry: Retry(tries: 5, maximumWait: .seconds(900)),
            rules: []
        )
        guard let node else { return settings }
        guard let keys = CheckedMapping(node, Tables.http, at: node.location, findings) else { return nil }
        let scope = ProgramScope.template("http", Self.connectionRoots)
        settings.base = template(keys["base"], scope)
        if let base = settings.base { checkURL(base, hosts, of: "base") }
        settings.headers = headers(keys["headers"], scope)
        settings.timeout = keys.duration("timeout") ?? settings.timeout
        settings.maximumBody = keys.text("max_body").flatMap(HumanSize.parse) ?? settings.maximumBody
        for node in keys["limits"]?.sequence ?? [] { limit(node, &settings) }
        if let node = keys["retry"],
            let retry = CheckedMapping(node, Tables.retry, at: keys.location("retry"), findings)
        {
            settings.retry.tries = retry.integer("tries") ?? settings.retry.tries
            settings.retry.maximumWait = retry.duration("max_wait") ?? settings.retry.maximumWait
        }
        settings.rules = (keys["on"]?.sequence ?? []).compactMap(rule)
        settings.errorMessage = program(keys["error"], ProgramScope.answers(.answer, hasParent: false))
        return settings
    }

    private func limit(_ node: YAMLNode, _ settings: inout HTTPSettings) {
        guard let keys = CheckedMapping(node, Tables.limit, at: node.location, findings),
            let kind = keys.kind(of: Tables.limit, findings)
        else { return }
        if kind.key == "concurrency" {
            settings.concurrency = min(settings.concurrency ?? .max, keys.integer("concurrency") ?? .max)
            if keys.isWritten("burst") {
                findings.error(
                    .burstWithoutRate,
                    "'burst' needs a rate",
                    at: keys.location("burst"),
                    help: "remove it"
                )
            }
        } else if var rate = keys.text("rate").flatMap(RateLimit.init(parsing:)) {
            rate.burst = keys.integer("burst")
            if let burst = rate.burst, burst > rate.count {
                let help = "a burst is at most the count of the rate, \(rate.count)"
                findings.error(
                    .outOfRange,
                    "the burst is larger than the rate",
                    at: keys.location("burst"),
                    help: help
                )
            }
            settings.limits.append(rate)
        }
    }

    private func rule(_ node: YAMLNode) -> StatusRule? {
        guard let keys = CheckedMapping(node, Tables.rule, at: node.location, findings) else { return nil }
        let nodes = keys["status"].map { $0.sequence ?? [$0] } ?? []
        let ranges = nodes.compactMap(status)
        let scope = ProgramScope.answers(.answer, hasParent: false)
        let condition = program(keys["if"], scope)
        guard ranges.count == nodes.count, let action = keys.text("do").flatMap(StatusRule.Action.init(rawValue:))
        else {
            return nil
        }
        let place = keys.location("if")
        return StatusRule(
            status: StatusMatch(ranges: ranges),
            condition: condition,
            action: action,
            place: "\(path):\(place.line):\(place.column)"
        )
    }

    private func status(_ node: YAMLNode) -> ClosedRange<Int>? {
        let text = node.scalar?.text ?? ""
        if let code = Int(text), (100...599).contains(code) { return code...code }
        if text.count == 3, text.hasSuffix("xx"), let digit = Int(text.prefix(1)), (1...5).contains(digit) {
            return digit * 100...digit * 100 + 99
        }
        let help = "write a status from 100 to 599, or a class such as 5xx"
        findings.error(.badStatus, "'\(MessageText.shortened(text))' is not a status", at: node.location, help: help)
        return nil
    }

    /// Headers, each checked.
    func headers(_ node: YAMLNode?, _ scope: ProgramScope) -> [(name: String, value: Template)] {
        (node?.mapping ?? []).compactMap { entry in
            checkHeaderName(entry.key, at: entry.keyLocation)
            guard Shape.template.check(entry.value, of: entry.key, findings) else { return nil }
            return header(entry.value, scope).map { (name: entry.key, value: $0) }
        }
    }

    private func header(_ node: YAMLNode?, _ scope: ProgramScope) -> Template? {
        guard let node, let template = template(node, scope) else { return nil }
        for case .text(let text) in template.parts where text.unicodeScalars.contains(where: Self.isControl) {
            let isBlock = node.scalar?.style == .literal || node.scalar?.style == .folded
            let help = isBlock ? "a block ends with a line break: write '|-' or '>-'" : "write the value on one line"
            findings.error(
                .open(.headerControl),
                "a header cannot contain control characters",
                at: node.location,
                help: help
            )
            return nil
        }
        return template
    }

    /// Whether a text can name a header; where it cannot, that is told.
    @discardableResult
    func checkHeaderName(_ name: String, at location: Diagnostic.Location) -> Bool {
        let others: Set<Unicode.Scalar> = ["!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~"]
        if !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.isASCIIWord || others.contains($0) }) { return true }
        let help = "use letters, digits and hyphens, such as X-Api-Key"
        findings.error(
            .headerName,
            "'\(MessageText.shortened(name))' is not a header's name",
            at: location,
            help: help
        )
        return false
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
}
