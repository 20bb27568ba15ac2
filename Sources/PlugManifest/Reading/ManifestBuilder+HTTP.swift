import PlugCore

extension ManifestBuilder {
    /// How requests prove who asks; `nil` if that is wrong.
    ///
    /// - Parameters:
    ///   - plug: The plug's id, for what is named after it.
    ///   - hasBase: Whether there is an `http.base`.
    func authorization(_ keys: CheckedMapping, plug: String?, hasBase: Bool) -> Authorization? {
        guard let node = keys["auth"] else { return keys.isWritten("auth") ? nil : Authorization.none }
        if node.scalar != nil { return Authorization.none }
        let scope = Self.authScope
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
        case "login": return login(kind, hasBase: hasBase)
        case "oauth2": return oauth2(kind, plug: plug)
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
        settings.rules = rules(keys)
        settings.quotaHeaders = quotaHeaders(keys)
        settings.errorMessage = program(keys["error"], ProgramScope.answers(.answer, hasParent: false))
        return settings
    }

    /// Headers, each checked.
    func headers(_ node: YAMLNode?, _ scope: ProgramScope) -> [(name: String, value: Template)] {
        (node?.mapping ?? []).compactMap { entry in
            checkHeaderName(entry.key, at: entry.keyLocation)
            guard Shape.template.check(entry.value, of: entry.key, findings) else { return nil }
            return header(entry.value, scope).map { (name: entry.key, value: $0) }
        }
    }

    func header(_ node: YAMLNode?, _ scope: ProgramScope) -> Template? {
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
