internal import LosslessJSON
internal import OAuth
internal import PlugCore

/// What a store keeps while a person's answer is pending: all that is needed to read it, so that another process can.
enum WaitingConsent: Sendable {
    /// A consent in the browser, and the provider whose address it comes back to.
    case code(PendingConsent, provider: String)
    /// The same with OAuth 1.0a.
    case oauth1(PendingOAuth1Consent, provider: String)
    /// A code that the person types on another device, and the interval at which the service may be polled.
    case device(DeviceAuthorization, interval: Duration)
    /// The outcome of a device code; polling has ended.
    case ended(ConsentEnd)
    /// A login at a PDA.
    case login(pda: String, plug: String)
    /// A token that a PDA brought unasked, and that the person has to confirm.
    case arrival(VerifiedPDAToken, plug: String)

    /// The stored form. Only to be encrypted.
    var content: Secret {
        let value: JSONValue =
            switch self {
            case .code(let pending, let provider):
                .members(("kind", .text("code")), ("provider", .text(provider)), ("pending", pending.content))
            case .oauth1(let pending, let provider):
                .members(("kind", .text("oauth1")), ("provider", .text(provider)), ("pending", pending.content))
            case .device(let device, let interval):
                .members(
                    ("kind", .text("device")),
                    ("device", device.content),
                    ("interval", .number(JSONNumber(interval.wholeMicroseconds)))
                )
            case .ended(let end): .members(("kind", .text("ended")), ("end", end.content))
            case .login(let pda, let plug):
                .members(("kind", .text("login")), ("pda", .text(pda)), ("plug", .text(plug)))
            case .arrival(let token, let plug):
                .members(("kind", .text("arrival")), ("token", token.content), ("plug", .text(plug)))
            }
        return Secret(value.compactText)
    }

    /// Reads `content`; `nil` if it is anything else: the person begins again.
    init?(_ content: Secret) {
        guard let value = try? JSONValue(parsing: Array(content.reveal().utf8)) else { return nil }
        switch value["kind"]?.stringText {
        case "code":
            guard let pending = value["pending"].flatMap({ PendingConsent(content: $0) }),
                let provider = value["provider"]?.stringText
            else { return nil }
            self = .code(pending, provider: provider)
        case "oauth1":
            guard let pending = value["pending"].flatMap({ PendingOAuth1Consent(content: $0) }),
                let provider = value["provider"]?.stringText
            else { return nil }
            self = .oauth1(pending, provider: provider)
        case "device":
            guard let device = value["device"].flatMap({ DeviceAuthorization(content: $0) }),
                let interval = value["interval"]?.number?.int64, interval > 0
            else { return nil }
            self = .device(device, interval: .microseconds(interval))
        case "ended":
            guard let end = value["end"].flatMap({ ConsentEnd(content: $0) }) else { return nil }
            self = .ended(end)
        case "login":
            guard let pda = value["pda"]?.stringText, let plug = value["plug"]?.stringText else { return nil }
            self = .login(pda: pda, plug: plug)
        case "arrival":
            guard let token = value["token"].flatMap({ VerifiedPDAToken(content: $0) }),
                let plug = value["plug"]?.stringText
            else { return nil }
            self = .arrival(token, plug: plug)
        default: return nil
        }
    }
}

extension VerifiedPDAToken {
    /// The stored form. Only to be encrypted.
    fileprivate var content: JSONValue {
        .members(
            ("token", .text(token.reveal())),
            ("pda", .text(pda)),
            ("subject", .text(subject)),
            ("iat", .number(JSONNumber(issuedAt))),
            ("exp", .number(JSONNumber(expires)))
        )
    }

    /// Reads `content`.
    fileprivate init?(content: JSONValue) {
        guard let token = content["token"]?.stringText, let pda = content["pda"]?.stringText,
            let subject = content["subject"]?.stringText, let issuedAt = content["iat"]?.number?.int64,
            let expires = content["exp"]?.number?.int64
        else { return nil }
        self.init(token: Secret(token), pda: pda, subject: subject, issuedAt: issuedAt, expires: expires)
    }
}
