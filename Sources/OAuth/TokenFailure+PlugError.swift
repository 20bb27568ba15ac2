internal import CurlTransport
package import PlugCore

extension TokenFailure {
    /// The error for the person at the terminal, from a service with OAuth 1.0a.
    ///
    /// - Parameter host: The host that was asked, such as `accounts.example.org`, without the rest of the address.
    package func oauth1Error(from host: String) -> PlugError {
        var error = plugError(from: host)
        switch kind {
        case .wrongClient:
            error.advice =
                "whoever runs plughost must compare the consumer's key and secret, 'auth.oauth1.method' and this machine's clock "
                + "with the service's developer pages"
        case .unreachable(let http) where [.addressRefused, .metadataRefused, .schemeRefused].contains(http.code): break
        case .unreachable: error.advice = "check the network, and the addresses of 'auth.oauth1'"
        case .unreadable, .unusable, .misdirected, .refused, .pending, .slowDown:
            error.advice =
                "compare the addresses and parameters of 'auth.oauth1' with the service's documentation: it has to have "
                + "OAuth 1.0a"
        case .dead, .passing, .denied, .expired: break
        }
        return error
    }

    /// The error for the person at the terminal.
    ///
    /// - Parameter host: The host that was asked, such as `accounts.example.org`, without the rest of the address.
    package func plugError(from host: String) -> PlugError {
        let answer = "the answer of \(host) to a request for a token: \(self)"
        func error(_ code: PlugError.Code, _ message: String, _ advice: String) -> PlugError {
            PlugError(code, message, advice: advice, reach: .run)
        }
        switch kind {
        case .dead:
            let message = "\(host) no longer accepts this connection: \(self)"
            return error(.connectAgain, message, "connect again with 'plughost connect'")
        case .wrongClient:
            let advice =
                "whoever runs plughost must compare the client's id and secret, and 'token.client', with the service's developer pages"
            return error(.clientRefused, "\(host) refuses the client: \(self)", advice)
        case .passing(let wait):
            let time = wait.map { "; it asks to come back in \(HumanDuration.text($0))" } ?? ""
            return error(.tokenUnavailable, "\(host) gives no tokens now: \(self)\(time)", "run it again later")
        case .unreachable(let http) where [.addressRefused, .metadataRefused, .schemeRefused].contains(http.code):
            let advice = "if this is intended, allow it with --allow-network source=CIDR"
            return error(.tokenAddress, "no token: \(self)", advice)
        case .unreachable:
            return error(.tokenUnreachable, "no token: \(self)", "check the network and 'token.url'")
        case .unreadable, .unusable:
            let advice =
                "check 'token.url'; if the service returns the token under another name, write 'auth.oauth2.fields'"
            return error(.tokenUnreadable, answer, advice)
        case .misdirected:
            let advice =
                "compare 'token.url', and the configuration that it refers to, with the service's documentation"
            return error(.tokenAddress, answer, advice)
        case .denied: return error(.consentDenied, "\(host): \(said("access was denied"))", Self.consentAgain)
        case .expired:
            let words = said("the code was not confirmed in time")
            return error(.consentExpired, "\(host): \(words)", Self.again)
        case .pending, .slowDown, .refused:
            let advice = "compare scopes and parameters of 'auth.oauth2' with the service's documentation"
            return error(.tokenRefused, answer, advice)
        }
    }

    /// The error for a person at the terminal who has just consented.
    ///
    /// There was no connection yet that could be dead: it is the code that was rejected (RFC 6749, 5.2).
    ///
    /// - Parameter isOAuth1: Whether the service has OAuth 1.0a.
    package func consentError(from host: String, isOAuth1: Bool = false) -> PlugError {
        guard kind == .dead else { return isOAuth1 ? oauth1Error(from: host) : plugError(from: host) }
        return PlugError(
            .tokenRefused,
            "\(host) does not accept the code: \(self)",
            advice: Self.again
                + "; if it is refused each time, compare the redirect address with the service's developer pages",
            reach: .run
        )
    }

    static let again = "run 'plughost connect' again"
    static let consentAgain = again + ", and consent to what it asks for"

    /// The service's words, or ours if it gave only the standard's name of the error.
    private func said(_ words: String) -> String {
        guard reason == "it refuses", ["access_denied", "expired_token"].contains(code) else { return description }
        return words
    }
}

extension ConsentFailure {
    /// The error for the person at the terminal.
    ///
    /// - Parameter host: The host that was asked.
    package func plugError(from host: String) -> PlugError {
        let message = "\(host): \(message)"
        switch kind {
        case .denied: return PlugError(.consentDenied, message, advice: TokenFailure.consentAgain, reach: .run)
        case .late, .unanswered: return PlugError(.consentExpired, message, advice: TokenFailure.again, reach: .run)
        case .refused:
            let advice =
                "often the redirect URI is not registered for the client, or a scope is unknown: compare with the service's "
                + "developer pages"
            return PlugError(.consentFailed, message, advice: advice, reach: .run)
        case .foreign: return PlugError(.consentForeign, message, advice: TokenFailure.again, reach: .run)
        case .used: return PlugError(.consentUsed, message, advice: TokenFailure.again, reach: .run)
        case .otherIssuer: return PlugError(.consentIssuer, message, advice: TokenFailure.again, reach: .run)
        case .noCode:
            return PlugError(.consentFailed, message, advice: TokenFailure.again, reach: .run)
        }
    }
}
