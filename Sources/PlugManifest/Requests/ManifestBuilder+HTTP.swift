import PlugCore

extension ManifestBuilder {
    /// What all requests share; `nil` if that is invalid.
    func http(_ node: YAMLNode?, hosts: [HostPattern]) -> HTTPSettings? {
        var settings = HTTPSettings(
            base: nil,
            headers: [],
            limits: [],
            concurrency: nil,
            retry: Retry(tries: 5, maximumWait: .seconds(900)),
            rules: []
        )
        guard let node else { return settings }
        guard let keys = CheckedMapping(node, Tables.http, at: node.location, findings) else { return nil }
        let scope = ProgramScope.template("http", Self.connectionRoots)
        settings.base = template(keys["base"], .template("http.base", grantedRoots))
        if let base = settings.base {
            checkURL(base, hosts, of: "base")
            if base.hasLiteral("?") || base.hasLiteral("#") {
                let help = "write the parameters in 'query' of each request, or of the defaults"
                findings.error(.badURL, "'base' cannot have a query or a fragment", at: base.location, help: help)
            }
        }
        settings.headers = headers(keys["headers"], scope)
        settings.answers = AnswerLimits(keys)
        for node in keys["limits"]?.sequence ?? [] { limit(node, &settings) }
        if let node = keys["retry"],
            let retry = CheckedMapping(node, Tables.retry, at: keys.location("retry"), findings)
        {
            settings.retry.tries = retry.integer("tries") ?? settings.retry.tries
            settings.retry.maximumWait = retry.duration("max_wait") ?? settings.retry.maximumWait
        }
        settings.keepsCookies = keys.isWritten("cookies")
        settings.rules = rules(keys)
        settings.quotaHeaders = quotaHeaders(keys)
        settings.errorMessage = program(keys["error"], ProgramScope.answers(.answer, hasParent: false))
        return settings
    }

    /// Answers that are not read in pieces are held in memory as a whole.
    func checkLargestBody(
        _ node: YAMLNode?,
        _ http: HTTPSettings?,
        _ streams: [Stream],
        _ authorization: Authorization?
    ) {
        guard let http, http.answers.body > AnswerLimits.largestPage, let key = node?["max_body"] else { return }
        let needs = StreamNeeds(streams, http, authorization)
        let whole = streams.first { $0.request != nil && $0.decoding == nil && needs.list(of: $0) == nil }
        guard let whole else { return }
        findings.error(
            .notASize,
            "'max_body' may be more than 1GiB only where the answers of all streams are read in pieces: those of '\(whole.name)' "
                + "are read in memory",
            at: key.location,
            help:
                "write 1GiB or less, or give the streams with large answers a plug of their own; the documentation of 'decode' "
                + "says which JSON answers are read in pieces"
        )
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
        if let cut = template.cutInHeader {
            findings.error(
                .open(.headerControl),
                "spaces at the \(cut) of a header are not sent",
                at: node.location,
                help: "remove them"
            )
        }
        return template
    }

    /// Whether a text can name a header, or a cookie; reports it if not.
    @discardableResult
    func checkHeaderName(_ name: String, of kind: String = "header", at location: Diagnostic.Location) -> Bool {
        let others: Set<Unicode.Scalar> = ["!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~"]
        if !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.isASCIIWord || others.contains($0) }) { return true }
        let help = "use letters, digits and hyphens, such as X-Api-Key"
        findings.error(
            .headerName,
            "'\(MessageText.shortened(name))' is not a \(kind)'s name",
            at: location,
            help: help
        )
        return false
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }
}
