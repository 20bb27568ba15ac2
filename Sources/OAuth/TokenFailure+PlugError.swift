package import PlugCore

extension TokenFailure {
    /// The error for the person at the terminal.
    ///
    /// - Parameter host: Who was asked, such as `accounts.example.org`; nothing else of an address.
    package func plugError(from host: String) -> PlugError {
        let answer = "the answer of \(host) to a request for a token: \(self)"
        switch kind {
        case .dead:
            return PlugError(
                .connectAgain,
                "\(host) no longer accepts this connection: \(self)",
                advice: "connect again with 'plughost connect'",
                reach: .run
            )
        case .wrongClient: return PlugError(.clientRefused, "\(host) refuses the client: \(self)", reach: .run)
        case .passing(let wait):
            let time = wait.map { "; it asks to come back in \(HumanDuration.text($0))" } ?? ""
            return PlugError(.tokenUnavailable, "\(host) gives no tokens now: \(self)\(time)", reach: .run)
        case .unreachable: return PlugError(.tokenUnreachable, "no token: \(self)", reach: .run)
        case .unreadable, .unusable: return PlugError(.tokenUnreadable, answer, reach: .run)
        case .misdirected: return PlugError(.tokenAddress, answer, reach: .run)
        case .denied: return PlugError(.consentDenied, "\(host): \(self)", reach: .run)
        case .expired: return PlugError(.consentExpired, "\(host): \(self)", reach: .run)
        case .pending, .slowDown, .refused: return PlugError(.tokenRefused, answer, reach: .run)
        }
    }
}

extension ConsentFailure {
    /// The error for the person at the terminal.
    ///
    /// - Parameter host: Who was asked.
    package func plugError(from host: String) -> PlugError {
        switch kind {
        case .denied: PlugError(.consentDenied, "\(host): \(message)", reach: .run)
        case .late: PlugError(.consentExpired, "\(host): \(message)", reach: .run)
        case .foreign, .used, .otherIssuer, .refused, .noCode:
            PlugError(.consentFailed, "\(host): \(message)", reach: .run)
        }
    }
}
