import PlugCore

/// What `login` and `oauth2` share: how a token is used, how to tell that it is invalid, and where it is requested.
extension ManifestBuilder {
    /// What templates of `auth` may refer to.
    static var authScope: ProgramScope { .template("auth", connectionRoots) }

    /// How requests carry a token; `nil` for the usual way, or if it is invalid.
    func tokenUse(_ entry: YAMLEntry?) -> TokenUse? {
        guard let entry, let keys = CheckedMapping(entry.value, Tables.tokenUse, at: entry.keyLocation, findings) else {
            return nil
        }
        let place = keys.text("in").flatMap(Authorization.KeyPlace.init(rawValue:)) ?? .header
        checkKeyName(keys["name"], in: place)
        if place != .header, !keys.isWritten("name") {
            let help = "name the parameter, such as 'name: access_token'"
            findings.error(.missingKey, "'name' is missing in use", at: keys.place, help: help)
        }
        let scope = ProgramScope.template("use", Self.connectionRoots, own: ["token"])
        let value = keyValue(keys["value"], in: place, scope)
        if let value, !value.usedGlobals.contains("token") {
            let help = "write {{ token }} where the token goes"
            findings.error(.missingKey, "'value' does not contain the token", at: value.location, help: help)
        }
        return TokenUse(place: place, name: keys.text("name") ?? "Authorization", value: value)
    }

    /// How to tell that a token or grant is no longer valid; `nil` for the usual sign, or if the rule is invalid.
    func deadRule(_ entry: YAMLEntry?) -> DeadRule? {
        guard let entry, let keys = CheckedMapping(entry.value, Tables.deadRule, at: entry.keyLocation, findings) else {
            return nil
        }
        if !keys.isWritten("status"), !keys.isWritten("if") {
            let help = "write 'status: 403', or a program over the body such as 'if: .error == \"expired\"'"
            findings.error(.missingKey, "'dead_if' has neither 'status' nor 'if'", at: keys.place, help: help)
        }
        let nodes = keys["status"].map { $0.sequence ?? [$0] } ?? []
        let ranges = nodes.compactMap(status)
        let place = keys.location("if")
        return DeadRule(
            status: keys["status"] == nil ? nil : StatusMatch(ranges: ranges),
            condition: program(keys["if"], ProgramScope.answers(.answer, hasParent: false)),
            place: "\(path):\(place.line):\(place.column)"
        )
    }

    /// An address that `auth` itself requests: a complete https URL, within `hosts` or not.
    func authURL(_ node: YAMLNode?, _ key: String) -> Template? {
        guard let template = template(node, Self.authScope) else { return nil }
        checkAuthURL(template, of: key)
        return template
    }

    /// Checks that a URL literally begins with https: what a template gives there could be anything. A loopback address may be
    /// http, for tests.
    func checkAuthURL(_ template: Template, of key: String) {
        if case .program? = template.parts.first {
            let help =
                "write https:// before it, and a config key of type 'host' after it: https://{{ config.instance }}/token"
            let message = "'\(key)' does not begin with https://: secrets are sent to it"
            return findings.error(.authNotHTTPS, message, at: template.location, help: help)
        }
        checkURL(template, [], of: key)
        guard case .text(let first)? = template.parts.first, first.lowercased().hasPrefix("http://") else { return }
        let authority = first.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        let isLoopback = host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." } || host == "[::1]"
        if isLoopback { return }
        findings.error(
            .authNotHTTPS,
            "'\(key)' is not an https URL: secrets are sent to it",
            at: template.location,
            help: "write https://"
        )
    }

    /// Reports a secret that is written literally in the manifest.
    func checkHidden(_ template: Template?, _ key: String) {
        guard let template, template.isConstant else { return }
        let help = "declare a config key with 'secret: true' and write '{{ config.\(key) }}'"
        findings.error(
            .secretInManifest,
            "'\(key)' is a secret and is written in the manifest",
            at: template.location,
            help: help
        )
    }
}
