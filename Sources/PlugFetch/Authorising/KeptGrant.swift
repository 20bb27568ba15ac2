import LosslessJSON
import OAuth
import PlugCore

/// A grant with what its keeper needs to know of it between runs.
struct KeptGrant: Sendable, Equatable {
    /// The tokens.
    var grant: Grant
    /// The refresh token before the newest one, until that one has worked once: a service that ended before it had kept the
    /// newest one knows only this.
    var previous: Secret?
    /// Whether refresh tokens work once only, as far as answers have shown.
    var rotates: Bool?
    /// Whether somebody has to consent again.
    var isDead = false
    /// Whether a refresh was begun and its answer not kept: it may have used the refresh token up.
    var isRenewing = false
    /// What the grant was obtained with, hashed: with other credentials it means nothing. `nil` for a person's consent.
    var basis: String?

    init(_ grant: Grant, basis: String?) {
        self.grant = grant
        self.basis = basis
    }

    /// The grant after a refresh that showed `shown`.
    func renewed(by answer: TokenAnswer, showing shown: Secret, now: Int64) -> KeptGrant {
        var next = self
        next.grant = grant.renewed(by: answer, now: now)
        let isNew = answer.refreshToken != nil && answer.refreshToken != shown
        if !isNew { next.grant.refreshToken = shown }
        next.previous = isNew ? shown : nil
        next.rotates = isNew
        next.isDead = false
        next.isRenewing = false
        return next
    }

    /// Every text in it that no message may show.
    var secrets: [Secret] { [grant.accessToken] + [grant.refreshToken, previous].compactMap { $0 } }

    // MARK: - As it is kept

    /// JSON with the members of `Grant`, and some more. Only to be encrypted.
    var content: Secret {
        var object = (try? JSONValue(parsing: grant.encoded))?.object ?? JSONObject()
        if let previous { object["previous_refresh_token"] = .text(previous.reveal()) }
        if let rotates { object["rotates"] = .bool(rotates) }
        if isDead { object["dead"] = .bool(true) }
        if isRenewing { object["renewing"] = .bool(true) }
        if let basis { object["basis"] = .text(basis) }
        return Secret(JSONValue.object(object).compactText)
    }

    /// Reads what `content` has written, or a command that obtains a consent.
    ///
    /// - Throws: `Grant.Unreadable`.
    init(_ content: Secret) throws(Grant.Unreadable) {
        let bytes = Array(content.reveal().utf8)
        grant = try Grant(decoding: bytes)
        let value = (try? JSONValue(parsing: bytes)) ?? .null
        previous = value["previous_refresh_token"]?.stringText.map(Secret.init)
        rotates = value["rotates"]?.bool
        isDead = value["dead"]?.bool ?? false
        isRenewing = value["renewing"]?.bool ?? false
        basis = value["basis"]?.stringText
    }
}
