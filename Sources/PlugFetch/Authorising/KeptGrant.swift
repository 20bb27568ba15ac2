package import LosslessJSON
package import OAuth
package import PlugCore
package import PlugManifest

/// A grant with what its keeper needs to know about it between runs.
package struct KeptGrant: Sendable, Equatable {
    /// The name of a user's consent in the vault.
    package static let consent = "oauth2"

    /// The tokens.
    package var grant: Grant
    /// The owner of the grant.
    var owner: GrantOwner
    /// A hash of what the access token was requested with: with other scopes or parameters it is a different token. `nil` if that
    /// is not known.
    var asked: String?
    /// The refresh token before the newest one, until that one has worked once: a service that failed before it had stored the
    /// newest one knows only this.
    var previous: Secret?
    /// Whether refresh tokens are single-use, as far as answers have shown.
    var rotates: Bool?
    /// Whether consent has to be given again.
    package var isDead = false
    /// Whether the refresh token was used with unknown outcome: no answer was kept that tells.
    var isShown = false

    /// The grant from a user's consent.
    ///
    /// - Parameters: As for a run of the same connection, which then recognises the grant as its own.
    package init(
        _ grant: Grant,
        consentedTo settings: OAuthSettings,
        clients: [String: ClientIdentity],
        config: JSONValue,
        _ roots: TemplateRoots
    ) throws(PlugError) {
        let source = try OAuthSource(settings, clients: clients, config: config, roots)
        self.init(grant, of: source.owner, asked: source.asked)
    }

    /// A grant that was just obtained.
    package init(_ grant: Grant, of owner: GrantOwner, asked: String? = nil) {
        self.grant = grant
        self.owner = owner
        self.asked = asked
    }

    /// The grant after a refresh that used `shown`.
    func renewed(by answer: TokenAnswer, showing shown: Secret, asked: String?, now: Int64) -> KeptGrant {
        var next = replaced(answer.refreshToken, instead: shown)
        next.grant = grant.renewed(by: answer, now: now)
        if answer.refreshToken == nil { next.grant.refreshToken = shown }
        next.asked = asked
        return next
    }

    /// The grant after an answer to a refresh of which only the refresh token can be used, if it has one.
    func replaced(_ refreshToken: Secret?, instead shown: Secret) -> KeptGrant {
        var next = self
        let isNew = refreshToken != nil && refreshToken != shown
        next.grant.refreshToken = refreshToken ?? shown
        next.previous = isNew ? shown : nil
        next.rotates = isNew
        next.isDead = false
        next.isShown = false
        return next
    }

    /// What is left of the grant once the user has disconnected: no token, and the mark that consent has to be given again.
    package var forgotten: KeptGrant {
        var next = self
        (next.grant.accessToken, next.grant.refreshToken, next.previous, next.grant.values) = (nil, nil, nil, [:])
        next.grant.tokenSecret = nil
        (next.isDead, next.isShown) = (true, false)
        return next
    }

    /// Every text in it that no message may show.
    var secrets: [Secret] {
        [grant.accessToken, grant.tokenSecret, grant.refreshToken, previous].compactMap { $0 }
    }

    // MARK: - Stored form

    /// JSON with the members of `Grant`, and some more. Only to be encrypted.
    package var content: Secret {
        var object = (try? JSONValue(parsing: grant.encoded))?.object ?? JSONObject()
        object["owner"] = .text(owner.hash)
        if let asked { object["asked"] = .text(asked) }
        if let previous { object["previous_refresh_token"] = .text(previous.reveal()) }
        if let rotates { object["rotates"] = .bool(rotates) }
        if isDead { object["dead"] = .bool(true) }
        if isShown { object["shown"] = .bool(true) }
        return Secret(JSONValue.object(object).compactText)
    }

    /// Reads what `content` has written.
    ///
    /// - Throws: `Grant.Unreadable`.
    package init(_ content: Secret) throws(Grant.Unreadable) {
        let bytes = Array(content.reveal().utf8)
        grant = try Grant(decoding: bytes)
        let value = (try? JSONValue(parsing: bytes)) ?? .null
        owner = GrantOwner(hash: value["owner"]?.stringText ?? "")
        asked = value["asked"]?.stringText
        previous = value["previous_refresh_token"]?.stringText.map(Secret.init)
        rotates = value["rotates"]?.bool
        isDead = value["dead"]?.bool ?? false
        isShown = value["shown"]?.bool ?? false
    }
}
