import PlugCore

/// Authenticators as `auth`.
struct AirbyteAuth {
    let scope: JinjaScope
    /// The address of the stream, for a login with a path.
    let base: String

    /// - Throws: `Unsayable` for an authenticator without a counterpart.
    func read(_ component: Component?) throws(Unsayable) -> AuthDraft {
        guard let component else { return .none }
        do throws(Unsayable) { return try draft(component) } catch {
            throw Unsayable(error.reason, line: error.line ?? component.line)
        }
    }

    private func draft(_ component: Component) throws(Unsayable) -> AuthDraft {
        switch component.type {
        case "NoAuth": return .none
        case "BearerAuthenticator":
            let token = try template(component, "api_token")
            return AuthDraft(value: .members(("bearer", .members(("token", .text(token))))))
        case "BasicHttpAuthenticator":
            return AuthDraft(
                value: .members(
                    (
                        "basic",
                        .members(
                            ("username", .text(try template(component, "username"))),
                            ("password", .text(try orEmpty(template(component, "password", preset: ""))))
                        )
                    )
                )
            )
        case "ApiKeyAuthenticator":
            let value = try template(component, "api_token")
            var place = OptionPlace?.none
            if let option = try component.member("inject_into") { place = try OptionPlace(option, scope) }
            let entry = key(place, try component.member("header")?.text, value)
            return AuthDraft(value: .members(("key", entry)), sendsForm: place?.place == "form")
        case "OAuthAuthenticator": return try AirbyteOAuth(scope: scope).draft(component)
        case "SessionTokenAuthenticator": return try login(component)
        case "SelectiveAuthenticator": return try choice(component)
        case let type?: throw Unsayable("the authenticator '\(type)' has no counterpart")
        case nil: throw Unsayable("an authenticator has no 'type'")
        }
    }

    private func key(_ place: OptionPlace?, _ header: String?, _ value: String) -> PlugYAML {
        let kind = ["json": "body", "form": "body"][place?.place ?? "header"] ?? place?.place ?? "header"
        return .members(
            ("in", .text(kind)),
            ("name", .text(place?.name ?? header ?? "Authorization")),
            ("value", .text(value))
        )
    }

    private func template(_ component: Component, _ key: String, preset: String? = nil) throws(Unsayable) -> String {
        guard let text = try component.member(key)?.text ?? preset else { throw Unsayable("'\(key)' is missing") }
        return try JinjaTemplate(text, scope).template(.wire)
    }

    // MARK: - Logins

    private func login(_ component: Component) throws(Unsayable) -> AuthDraft {
        guard let requester = try component.member("login_requester") else {
            throw Unsayable("'login_requester' is missing")
        }
        var reader = AirbyteRequest(scope: scope)
        try reader.read(requester)
        var request = reader.request
        var credentials = try AirbyteAuth(scope: scope, base: base).read(try requester.member("authenticator"))
        try Self.carry(&request, &credentials)
        guard credentials == .none else {
            throw Unsayable("a log-in with an authenticator of its own has no counterpart")
        }
        if let decoder = try component.member("decoder"), decoder.type != "JsonDecoder" {
            throw Unsayable("a log-in whose answer is not JSON has no counterpart", line: decoder.line)
        }
        let steps = try component.list("session_token_path").compactMap(\.text)
        var address =
            reader.base + (reader.path.isEmpty ? "" : reader.path.hasPrefix("/") ? reader.path : "/" + reader.path)
        // Only the output of a single expression may be an address.
        if !reader.addresses.isEmpty, address.hasPrefix("{{") { address = "{{ \(try PlugText.joined([address])) }}" }
        var login: [(String, PlugYAML?)] = [
            (
                "request",
                .members(
                    ("method", .text(request.method)),
                    ("path", .text(address)),
                    ("query", PlugYAML.mapping(request.query).unlessEmpty),
                    ("headers", PlugYAML.mapping(request.headers).unlessEmpty),
                    ("json", request.json),
                    ("form", request.form.map(PlugYAML.mapping))
                )
            ),
            ("token", .program(PathNotation.path(steps))),
        ]
        if let expiry = try component.member("expiration_duration")?.text {
            // A bare number is intended as seconds, although the engine reads only ISO 8601.
            let isNumber = !expiry.isEmpty && expiry.allSatisfy(\.isASCII) && expiry.allSatisfy(\.isNumber)
            login.append(("expires", .plain(isNumber ? "\(expiry)s" : try PythonTime.duration(expiry))))
        }
        if request.text != nil { throw Unsayable("a log-in with a body of plain text has no counterpart") }
        if let use = try component.member("request_authentication"), use.type == "ApiKey" {
            guard let option = try use.member("inject_into") else { throw Unsayable("'inject_into' is missing") }
            let place = try OptionPlace(option, scope)
            guard place.place == "header" || place.place == "query" else {
                throw Unsayable("a session token in a body has no counterpart")
            }
            var value = try use.member("api_token")?.text ?? "{{ session_token }}"
            value = value.replacing("{{session_token}}", with: "{{ token }}")
                .replacing("{{ session_token }}", with: "{{ token }}")
            login.append(
                ("use", .members(("in", .text(place.place)), ("name", .text(place.name)), ("value", .text(value))))
            )
        }
        let entries = login.compactMap { key, value in value.map { PlugYAML.Entry(key: key, value: $0) } }
        return AuthDraft(value: .members(("login", .mapping(entries))), fitsStream: false, addresses: reader.addresses)
    }

    /// Adds the credentials of a login to its request.
    private static func carry(_ request: inout RequestDraft, _ credentials: inout AuthDraft) throws(Unsayable) {
        guard case .mapping(let entries) = credentials.value, let entry = entries.first,
            case .mapping(let members) = entry.value
        else { return }
        func text(_ key: String) -> String {
            if case .text(let text)? = members.first(where: { $0.key == key })?.value { text } else { "" }
        }
        switch entry.key {
        case "bearer":
            try request.put(.text("Bearer \(text("token"))"), at: OptionPlace(place: "header", name: "Authorization"))
        case "basic":
            let pair = try PlugText.joined([text("username"), ":", text("password")])
            try request.put(
                .text("Basic {{ \(pair) | base64 }}"),
                at: OptionPlace(place: "header", name: "Authorization")
            )
        case "key":
            let place = text("in") == "body" ? "json" : text("in")
            try request.put(.text(text("value")), at: OptionPlace(place: place, name: text("name")))
        default: return
        }
        credentials = .none
    }

    /// An optional setting is an empty text: many services take a key as the user name, and no password.
    private func orEmpty(_ template: String) throws(Unsayable) -> String {
        guard let key = scope.config.keys.first(where: { template == "{{ config.\($0.name) }}" }), !key.isRequired
        else { return template }
        return "{{ config.\(key.name) // \"\" }}"
    }

    // MARK: - One of several

    private func choice(_ component: Component) throws(Unsayable) -> AuthDraft {
        let path = try component.list("authenticator_selection_path").compactMap(\.text)
        guard let chooser = scope.config.key(at: path) else {
            throw Unsayable("the authenticator is not chosen by a setting")
        }
        var alternatives: [PlugYAML.Entry] = []
        for (name, value) in try component.member("authenticators")?.members ?? [] {
            alternatives.append(PlugYAML.Entry(key: name, value: try read(value).value))
        }
        let known = Set(alternatives.map(\.key))
        for case .text(let choice) in chooser.choices where !known.contains(choice) {
            throw Unsayable("no authenticator is named '\(choice)', which '\(chooser.name)' may be")
        }
        return AuthDraft(
            value: .members(
                ("any_of", .members(("by", .text("{{ config.\(chooser.name) }}")), ("of", .mapping(alternatives))))
            ),
            fitsStream: false
        )
    }
}

extension OptionPlace {
    init(place: String, name: String) {
        self.place = place
        self.name = name
    }
}

/// Texts with templates, as one program.
enum PlugText {
    /// The texts concatenated: the output of a template with all of them.
    ///
    /// - Parameter encoding: Whether the values of their templates are percent-encoded, as in a path.
    static func joined(_ texts: [String], encoding: Bool = false) throws(Unsayable) -> String {
        var parts: [String] = []
        for text in texts where !text.isEmpty {
            var rest = text[...]
            while let open = rest.firstRange(of: "{{") {
                if open.lowerBound > rest.startIndex { parts.append(JQText.string(String(rest[..<open.lowerBound]))) }
                guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                    throw Unsayable("'{{' is not closed")
                }
                let inner = rest[open.upperBound..<close.lowerBound].split(separator: " ").joined(separator: " ")
                parts.append(encoding ? "(\(inner) | tostring | @uri)" : "(\(inner) | tostring)")
                rest = rest[close.upperBound...]
            }
            if !rest.isEmpty { parts.append(JQText.string(String(rest))) }
        }
        return parts.isEmpty ? "\"\"" : "(\(parts.joined(separator: " + ")))"
    }
}
