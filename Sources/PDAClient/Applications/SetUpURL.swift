extension PDA {
    /// The page to which the owner is sent for a set-up, by the application's kind (S39). Nothing is sent.
    ///
    /// * An App that is installed: the PDA's log-in page, which asks for consent and comes back to `redirect` with the
    ///   app's token as the parameter `token`.
    /// * An App that is not: `kind.url`, where it can be installed; after that, ask again.
    /// * A plug, and everything else: `kind.url`. Its own pages take over from there.
    ///
    /// - Parameters:
    ///   - application: The definition.
    ///   - isInstalled: Whether the App is on this device: whether `setup.iosURL`, or `redirect`, can be opened.
    ///   - redirect: Where an App is opened after log-in, instead of `setup.iosURL`.
    ///   - fallback: Opened if the owner declines.
    /// - Throws: `PDAError` `invalid_request` if an installed App has no address to return to, or the address has no scheme.
    public func setUpURL(
        of application: HATApplication,
        isInstalled: Bool,
        redirect: String? = nil,
        fallback: String? = nil
    ) throws(PDAError) -> String {
        guard application.kind.kind == .app, isInstalled else { return application.kind.url }
        guard let redirect = redirect ?? application.setup.iosURL else {
            throw PDAError(
                .invalidRequest,
                "the definition of '\(application.id)' has no setup.iosUrl to come back to",
                advice: "give a redirect address"
            )
        }
        return try logInURL(application: application.id, redirect: redirect, fallback: fallback)
    }
}
