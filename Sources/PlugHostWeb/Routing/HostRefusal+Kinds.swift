internal import PlugCore

extension HostRefusal {
    static let notAnObject = HostRefusal(400, PlugError(.bodyUnreadable, "the body is not a JSON object"))
    static let bodyLarge = HostRefusal(413, PlugError(.bodyLarge, "the body is larger than this host accepts"))
    static let bodySlow = HostRefusal(408, PlugError(.bodySlow, "the body did not arrive in time"))
    static let formForeign = HostRefusal(
        403,
        PlugError(
            .formForeign,
            "the form was not sent from a page that this browser has open, or the page is too old",
            advice: "go back, load the page again, and send the form again"
        )
    )
    static let keyRefused = HostRefusal(
        401,
        PlugError(.keyRefused, "the API key is unknown here", advice: "'plughost apikey add' makes one")
    )
    static let linkUsed = HostRefusal(
        410,
        PlugError(
            .linkUsed,
            "this link was used before, or is too old",
            advice: "'plughost operator link' prints a new one"
        )
    )
    static let arrivalGone = HostRefusal(
        410,
        PlugError(
            .noticeGone,
            "your PDA's request to connect was already used, is too old, or belongs to another browser",
            advice: "open the plug from your PDA again"
        )
    )
    static let outcomeGone = HostRefusal(
        410,
        PlugError(
            .noticeGone,
            "this page was for another browser, or is too old",
            advice: "look at your connections: if one needs you, it says so"
        )
    )
    static let logInOpen = HostRefusal(
        403,
        PlugError(
            .logInOpen,
            "a log-in here would be sent unencrypted over the network",
            advice: "use the host's https address (public_url), or log in on the machine itself"
        )
    )
    static let notLoggedIn = HostRefusal(
        401,
        PlugError(.notLoggedIn, "it is not known who is asking", advice: "log in, or send an API key")
    )
    /// The caller is unknown; the advice depends on who has access.
    static func notLoggedIn(for access: RouteAccess) -> HostRefusal {
        var refusal = notLoggedIn
        refusal.isForOperators = access.roles == [.operator]
        if access.roles == [.pda] {
            refusal.error.advice = "send a token that the PDA has made for the plug, in the header x-auth-token"
        } else if !access.takesCookies {
            refusal.error.advice = "send an API key: 'Authorization: Bearer KEY'; 'plughost apikey add' makes one"
        }
        return refusal
    }
    static let watchedByMany = HostRefusal(
        503,
        PlugError(
            .watchedByMany,
            "too many pages follow a run at the same time",
            advice: "reload the page now and then"
        )
    )
    static func notAllowed(_ access: RouteAccess) -> HostRefusal {
        let who = access.roles.map(\.description).sorted().joined(separator: ", ")
        return HostRefusal(403, PlugError(.notAllowed, "this is only for: \(who)"))
    }
    static let hostForeign = HostRefusal(
        421,
        PlugError(.hostForeign, "this host has another name", advice: "use the address that 'plughost serve' prints")
    )
    static func bodyType(_ type: String) -> HostRefusal {
        HostRefusal(415, PlugError(.bodyType, "the body has to be \(type)"))
    }
    /// Without the path: browsers put into it what they were given, possibly a secret.
    static let routeUnknown = HostRefusal(404, PlugError(.routeUnknown, "there is nothing at this address"))
    static func methodUnknown(_ method: String, _ allowed: [String]) -> HostRefusal {
        var refusal = HostRefusal(
            405,
            PlugError(.methodUnknown, "\(DisplayText.escaped(method)) is not for this address")
        )
        refusal.allowed = allowed
        return refusal
    }
    static func tooOften(seconds: Int) -> HostRefusal {
        var refusal = HostRefusal(
            429,
            PlugError(.tooOften, "there were too many requests for this", advice: "wait \(seconds) s")
        )
        refusal.retryAfter = seconds
        return refusal
    }
}
