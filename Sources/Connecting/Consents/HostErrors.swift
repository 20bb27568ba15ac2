internal import OAuth
internal import PlugCore

extension ConsentFailure {
    /// The error for the person in the browser.
    ///
    /// - Parameter host: The host that was asked, if known.
    func hostError(from host: String? = nil) -> PlugError {
        plugError(from: host ?? "the browser").inBrowser(kind == .used ? Self.looking : PlugError.again)
    }

    private static let looking = "look at the connection: if it is not connected, begin again"
}

extension TokenFailure {
    /// The error for the person in the browser.
    ///
    /// - Parameter isOAuth1: Whether the service uses OAuth 1.0a.
    func hostError(from host: String, isOAuth1: Bool = false) -> PlugError {
        var error = consentError(from: host, isOAuth1: isOAuth1).inBrowser(PlugError.again)
        switch kind {
        case .passing: error.advice = Self.later
        case .unreachable where error.code.text == "token-unreachable": error.advice = Self.later
        default: break
        }
        return error
    }
}

extension TokenFailure {
    private static let later = "the service has trouble: begin again in some minutes, from the connection's page"
}

extension PlugError {
    fileprivate static let again = "begin again from the connection's page"

    /// The same error for a person without a terminal.
    fileprivate func inBrowser(_ advice: String) -> PlugError {
        var copy = self
        if copy.advice?.contains("plughost connect") ?? true { copy.advice = advice }
        return copy
    }
}
