package import Connecting
package import CurlTransport
package import Throttling

/// What people are connected with, at their PDAs and at sources.
package struct ConnectingMeans: Sendable {
    /// Verifies the tokens of PDAs.
    package var verifier: PDATokenVerifier
    /// Carries requests to sources.
    package var throttling: RequestThrottling
    /// What the transport is allowed: where PDAs and sources may be reached without encryption.
    package var policy: NetworkPolicy

    /// What there is.
    package init(verifier: PDATokenVerifier, throttling: RequestThrottling, policy: NetworkPolicy) {
        (self.verifier, self.throttling, self.policy) = (verifier, throttling, policy)
    }

    /// Where forms that are led on to a PDA or a provider may lead. They go to addresses that are not known when the page is
    /// shown, and often on from there.
    var formTargets: [String] {
        let isPlain =
            !policy.allowedPDANetworks.isEmpty || !policy.allowedSourceNetworks.isEmpty || !policy.trustedPDAs.isEmpty
        return isPlain ? ["https:", "http:"] : ["https:"]
    }
}

extension HostRequest {
    /// The browser, as those know it who keep what was begun in it.
    var session: BrowserSession { BrowserSession(id: browser.text) }

    /// Leads the browser to another page, and lets it have its secret if it has none yet.
    func lead(to path: String) -> HostAnswer {
        var answer = HostAnswer.redirect(to: path)
        if browser.isNew { answer.cookie = .set(browser, seconds: nil) }
        return answer
    }
}
