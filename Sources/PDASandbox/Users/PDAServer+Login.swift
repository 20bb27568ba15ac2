internal import LosslessJSON
internal import PlugCore

extension PDAServer {
    /// GET `/users/application_token?name=&resource=`: a legacy service's token, which proves who the owner is and nothing else.
    func serviceToken(_ request: ServedRequest) throws -> Route.Reply {
        _ = try request.required("name")
        let resource = try request.required("resource")
        return { [tokens] caller in
            let token = try tokens.user(
                issuer: request.host,
                scope: "validate",
                resource: resource,
                subject: caller.user.subject
            )
            return Self.tokenAnswer(token, caller.user)
        }
    }

    /// GET `/control/v2/auth/hatlogin?name=&redirect=`: where to go with a token.
    ///
    /// An application that the PDA knows gets its own token, and only at an address that its definition names; an unknown service
    /// gets a `validate` token, as in the reference server.
    func hatLogin(_ request: ServedRequest) throws -> Route.Reply {
        let name = try request.required("name")
        let redirect = try request.required("redirect")
        return { [tokens] caller in
            guard let application = try await self.application(name) else {
                let token = try tokens.user(
                    issuer: request.host,
                    scope: "validate",
                    resource: redirect,
                    subject: caller.user.subject
                )
                return .message(RedirectTarget.adding([("token", token)], to: redirect))
            }
            guard RedirectTarget(redirect)?.isAllowed(by: application) ?? false else {
                throw Refusal.application(400, "Bad Request", "Application \(name) does not allow this redirect")
            }
            let token = try tokens.application(
                name,
                version: application.version,
                issuer: request.host,
                subject: caller.user.subject
            )
            return .message(RedirectTarget.adding([("token", token)], to: redirect))
        }
    }
}

/// An address that a browser may be sent to with a token.
struct RedirectTarget: Sendable, Equatable {
    /// In lower case, such as `https`.
    let scheme: String
    /// `host:port`, in lower case; empty for an application's own scheme.
    let authority: String
    /// Without query and fragment; `/` if it is empty.
    let path: String

    /// Reads an absolute URL, `nil` for anything that a browser could interpret differently.
    init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        guard isPlain, let colon = text.firstIndex(of: ":") else { return nil }
        scheme = text[..<colon].lowercased()
        let isScheme = scheme.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isScheme, scheme.first?.isLetter ?? false, !["javascript", "data", "blob", "file"].contains(scheme) else {
            return nil
        }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let address = rest.dropFirst(2).prefix { $0 != "?" && $0 != "#" }
        authority = address.prefix { $0 != "/" }.lowercased()
        let path = address.dropFirst(authority.count)
        self.path = path.isEmpty ? "/" : String(path)
        // A user name before the host is the oldest trick there is; dot segments are another.
        guard !authority.contains("@"), !path.split(separator: "/").contains(where: { $0 == ".." || $0 == "." }) else {
            return nil
        }
        if ["http", "https"].contains(scheme), authority.isEmpty { return nil }
    }

    /// Whether an application's definition names this address: among its `validRedirectUris`, or as one of its own addresses.
    func isAllowed(by application: KnownApplication) -> Bool {
        let definition = application.definition
        let setup = definition["setup"]
        var allowed = setup?["validRedirectUris"]?.elements?.compactMap(\.stringText) ?? []
        for (part, names) in [
            (setup, ["url", "iosUrl", "androidUrl", "testingUrl"]),
            (definition["kind"], ["url", "iosUrl", "androidUrl"]),
        ] {
            allowed += names.compactMap { part?[$0]?.stringText }
        }
        return allowed.contains { RedirectTarget($0) == self }
    }

    /// What a page's policy has to allow as a form target.
    var origin: String { ["http", "https"].contains(scheme) ? "\(scheme)://\(authority)" : "\(scheme):" }

    /// An address with further parameters, before its fragment.
    static func adding(_ parameters: [(name: String, value: String)], to address: String) -> String {
        let mark = address.firstIndex(of: "#") ?? address.endIndex
        let base = address[..<mark]
        let added = parameters.map { "\($0.name)=\(PercentEncoding.segment($0.value))" }.joined(separator: "&")
        let joint = base.contains("?") ? (base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&") : "?"
        return "\(base)\(joint)\(added)\(address[mark...])"
    }
}
