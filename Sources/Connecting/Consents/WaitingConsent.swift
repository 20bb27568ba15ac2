internal import LosslessJSON
internal import OAuth
internal import PlugCore

/// What a store keeps of something that a person was asked for: all that its answer is read with, so that another process can.
enum WaitingConsent: Sendable {
    /// A consent in the browser, and the provider whose address it comes back to.
    case code(PendingConsent, provider: String)
    /// A code that the person types on another device, and how long the service wants to be left alone.
    case device(DeviceAuthorization, interval: Duration)
    /// What came of a device's code; nobody asks any more.
    case ended(ConsentEnd)
    /// A login at a PDA.
    case login(pda: String, plug: String)

    /// As it is kept. Only to be encrypted.
    var content: Secret {
        let value: JSONValue =
            switch self {
            case .code(let pending, let provider):
                .members(("kind", .text("code")), ("provider", .text(provider)), ("pending", pending.content))
            case .device(let device, let interval):
                .members(
                    ("kind", .text("device")),
                    ("device", device.content),
                    ("interval", .number(JSONNumber(Int64(interval / .microseconds(1)))))
                )
            case .ended(let end): .members(("kind", .text("ended")), ("end", end.content))
            case .login(let pda, let plug):
                .members(("kind", .text("login")), ("pda", .text(pda)), ("plug", .text(plug)))
            }
        return Secret(value.compactText)
    }

    /// Reads what `content` has written, `nil` if it is something else: the person begins again.
    init?(_ content: Secret) {
        guard let value = try? JSONValue(parsing: Array(content.reveal().utf8)) else { return nil }
        switch value["kind"]?.stringText {
        case "code":
            guard let pending = value["pending"].flatMap({ PendingConsent(content: $0) }),
                let provider = value["provider"]?.stringText
            else { return nil }
            self = .code(pending, provider: provider)
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
        default: return nil
        }
    }
}

/// What came of a consent that was not answered in the browser, for whoever looks later.
package struct ConsentEnd: Sendable, Equatable {
    /// Whose account is connected; `nil` where that is not known, and where nothing is connected.
    package var who: String?
    /// Scopes that were asked for and not granted.
    package var missing: [String] = []
    /// Why nothing was connected: the code of the error, `nil` where all went well.
    package var code: String?
    /// What happened.
    package var message: String?
    /// What to do.
    package var advice: String?

    init(_ account: ConnectedAccount) { (who, missing) = (account.who, account.missing) }

    init(_ error: PlugError) { (code, message, advice) = (error.code.text, error.message, error.advice) }

    var content: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
        return .members(
            ("who", text(who)),
            ("missing", .array(missing.map { .text($0) })),
            ("code", text(code)),
            ("message", text(message)),
            ("advice", text(advice))
        )
    }

    init?(content: JSONValue) {
        guard content.object != nil else { return nil }
        who = content["who"]?.stringText
        missing = content["missing"]?.elements?.compactMap(\.stringText) ?? []
        code = content["code"]?.stringText
        message = content["message"]?.stringText
        advice = content["advice"]?.stringText
    }
}
