import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// How requests authenticate; `nil` if that is invalid.
    ///
    /// - Parameters:
    ///   - plug: The plug's id, for whatever is named after it.
    ///   - hasBase: Whether there is an `http.base`.
    func authorization(_ keys: CheckedMapping, plug: String?, hasBase: Bool) -> Authorization? {
        guard let node = keys["auth"] else { return keys.isWritten("auth") ? nil : Authorization.none }
        if node.scalar != nil { return Authorization.none }
        guard let auth = CheckedMapping(node, Tables.auth, at: keys.location("auth"), findings),
            let kind = auth.kind(of: Tables.auth, findings)
        else { return nil }
        let site = AuthKind.Site(plug: plug, hasBase: hasBase)
        return kind.key == "any_of" ? choice(kind, site) : authorization(kind, site)
    }

    /// How a stream's requests authenticate; `nil` to use the plug's authorisation, or if it is invalid.
    func streamAuthorization(_ keys: CheckedMapping, _ stream: String, _ request: Request?) -> Authorization? {
        guard let node = keys["auth"] else { return nil }
        if node.scalar != nil { return Authorization.none }
        guard let auth = CheckedMapping(node, Tables.streamAuth, at: keys.location("auth"), findings),
            let kind = auth.kind(of: Tables.streamAuth, findings)
        else { return nil }
        if kind.key == "oauth1", OAuth1Settings.Consent.keys.contains(where: { kind.value[$0] != nil }) {
            let message = "a consent gives the token of the connection, not of a stream"
            let help = "write 'oauth1' with 'request', 'authorize' and 'access' in the plug's own 'auth'"
            findings.error(.signExcludes, message, at: kind.keyLocation, help: help)
            return nil
        }
        guard let authorization = authorization(kind, AuthKind.Site(hasBase: true)) else { return nil }
        if let request, authorization.goesIntoBody, !request.takesFields {
            reportBody([stream], at: keys.location("auth"))
        }
        return authorization
    }

    private func authorization(_ entry: YAMLEntry, _ site: AuthKind.Site) -> Authorization? {
        AuthKind.all.first { $0.spec.name == entry.key }?.read(self, entry, site)
    }

    // MARK: - Keys

    /// One key, or several; `nil` if one of them is invalid.
    func keys(_ entry: YAMLEntry, _ scope: ProgramScope) -> [Authorization.Key]? {
        let nodes = entry.value.sequence ?? [entry.value]
        if nodes.isEmpty {
            let help = "write '{in: header, name: X-Api-Key, value: …}'"
            findings.error(.missingKey, "'\(entry.key)' is empty", at: entry.value.location, help: help)
            return nil
        }
        var named: Set<String> = []
        let keys = nodes.map { node -> Authorization.Key? in
            let place = entry.value.sequence == nil ? entry.keyLocation : node.location
            guard let mapping = CheckedMapping(node, Tables.key, at: place, findings),
                let key = key(mapping, scope)
            else { return nil }
            let name = key.place == .header ? key.name.lowercased() : key.name
            if named.insert("\(key.place.rawValue) \(name)").inserted { return key }
            let message = "'\(MessageText.shortened(key.name))' is given twice for the same place"
            findings.error(.twoKinds, message, at: mapping.location("name"), help: "keep one of them")
            return nil
        }
        let found = keys.compactMap(\.self)
        return found.count == keys.count ? found : nil
    }

    private func key(_ keys: CheckedMapping, _ scope: ProgramScope) -> Authorization.Key? {
        let place = keys.text("in").flatMap(Authorization.KeyPlace.init(rawValue:))
        if let place { checkKeyName(keys["name"], in: place) }
        let value = keyValue(keys["value"], in: place ?? .query, scope)
        guard let place, let name = keys.text("name"), let value else { return nil }
        return Authorization.Key(place: place, name: name, value: value)
    }

    /// Checks that a name suits the place of a key.
    func checkKeyName(_ node: YAMLNode?, in place: Authorization.KeyPlace) {
        guard let node, let name = node.scalar?.text else { return }
        switch place {
        case .header: checkHeaderName(name, at: node.location)
        case .cookie: checkHeaderName(name, of: "cookie", at: node.location)
        case .query, .body: break
        }
    }

    /// The value of a key, which in a header has to be a valid header value.
    func keyValue(_ node: YAMLNode?, in place: Authorization.KeyPlace, _ scope: ProgramScope) -> Template? {
        switch place {
        case .header, .cookie: header(node, scope)
        case .query, .body: template(node, scope)
        }
    }

    // MARK: - Credentials in bodies

    /// Reports streams whose requests have no body for the credentials.
    func checkBodies(of streams: [Stream], _ authorization: Authorization, _ keys: CheckedMapping) {
        let without = streams.filter { $0.request?.takesFields == false }.map(\.name)
        if authorization.goesIntoBody, !without.isEmpty { reportBody(without, at: keys.location("auth")) }
    }

    func reportBody(_ streams: [String], at location: Diagnostic.Location) {
        let names = MessageText.list(streams.map { "'\($0)'" })
        findings.error(
            .bodyMissing,
            "'in: body' needs requests with a form or a JSON body, which \(names) "
                + (streams.count == 1 ? "does not have" : "do not have"),
            at: location,
            help: "write 'method: POST' and 'form' or 'json' in 'request', or give the stream an 'auth' of its own"
        )
    }

    // MARK: - One of several

    private func choice(_ kind: YAMLEntry, _ site: AuthKind.Site) -> Authorization? {
        guard let keys = CheckedMapping(kind.value, Tables.anyOf, at: kind.keyLocation, findings) else { return nil }
        let by = template(keys["by"], .choice)
        let entries = keys["of"]?.mapping ?? []
        if entries.isEmpty, let node = keys["of"] {
            findings.error(.missingKey, "'of' has no alternatives", at: node.location, help: "write NAME: {bearer: …}")
        }
        let shape = Shape.wordOrTable(["none"], Tables.alternative)
        let alternatives = entries.map { entry -> (name: String, authorization: Authorization)? in
            guard shape.check(entry.value, of: entry.key, findings) else { return nil }
            if entry.value.scalar != nil { return (entry.key, .none) }
            guard let auth = CheckedMapping(entry.value, Tables.alternative, at: entry.keyLocation, findings),
                let kind = auth.kind(of: Tables.alternative, findings)
            else { return nil }
            return authorization(kind, site).map { (entry.key, $0) }
        }
        guard let by else { return nil }
        checkChoice(by, entries.map(\.key), at: keys.location("of"))
        let found = alternatives.compactMap(\.self)
        guard found.count == entries.count, !found.isEmpty else { return nil }
        return .anyOf(AuthorizationChoice(by: by, alternatives: found))
    }

    /// If a config key with few values makes the choice, each of them has to choose something.
    private func checkChoice(_ by: Template, _ names: [String], at location: Diagnostic.Location) {
        guard by.isWhole, let syntax = by.expressions.first?.program.syntax, case .index(_, let key) = syntax.node,
            case .literal(let value) = key.node, let name = value.stringText,
            let missing = configChoices[name]?.first(where: { !names.contains($0) })
        else { return }
        findings.error(
            .missingKey,
            "'of' has nothing for '\(MessageText.shortened(missing))', which 'config.\(name)' may be",
            at: location,
            help: "add '\(MessageText.shortened(missing)): {…}', or write '\(MessageText.shortened(missing)): none'"
        )
    }
}

extension Request {
    /// Whether its body has fields that can be added to.
    var takesFields: Bool { text == nil && (form != nil || json != nil) }
}
