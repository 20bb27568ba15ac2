package import JQ

/// How requests carry a token that a run obtains.
package struct TokenUse: Sendable {
    /// Where it goes.
    package var place: Authorization.KeyPlace
    /// The name of the header or of the parameter.
    package var name: String
    /// The value to send. Besides `config`, `vars` and `now` it sees `token`, the token: pass it as `TemplateRoots.parent`. `nil`
    /// for the token alone, after `Bearer` in the header `Authorization`.
    package var value: Template?
}

/// Which answers say that a token, or the grant behind it, is no longer valid.
package struct DeadRule: Sendable {
    /// The statuses; `nil` for the defaults of the kind of authorisation.
    package var status: StatusMatch?
    /// A program over the body; the rule matches if its first output is neither `false` nor `null`. Its globals are those of
    /// `RecordGlobals.answer`.
    package var condition: JQProgram?
    /// Its location, `plug.yaml:12:5`: that of its condition, if it has one.
    package var place: String
}

/// How long a token lives.
package enum TokenLifetime: Sendable {
    /// A fixed time.
    case fixed(Duration)
    /// Given by a program over the answer: a number of seconds, or a time.
    case told(JQProgram)
}

extension Authorization {
    /// How requests carry a token that a run obtains; `nil` for the usual way, and if there is no such token.
    package var tokenUse: TokenUse? {
        switch self {
        case .login(let settings): settings.use
        case .oauth2(let settings): settings.use
        default: nil
        }
    }

    /// The providers of the OAuth clients that it uses, over all ways that a configuration may choose.
    package var providers: [String] {
        switch self {
        case .oauth2(let settings): [settings.provider]
        case .oauth1(let settings): [settings.consent?.provider].compactMap(\.self)
        case .anyOf(let choice): choice.alternatives.flatMap(\.authorization.providers)
        default: []
        }
    }

    /// Whether what a run is granted has to outlive it: a person's consent, or a refresh token that may be replaced.
    package var needsVault: Bool {
        switch self {
        case .oauth2(let settings): settings.grant.refreshes
        case .oauth1(let settings): settings.consent != nil
        case .anyOf(let choice): choice.alternatives.contains { $0.authorization.needsVault }
        default: false
        }
    }
}
