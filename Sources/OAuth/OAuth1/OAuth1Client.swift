package import CurlTransport
package import PlugCore
internal import Signing

/// Requests credentials from a service with OAuth 1.0a over a transport: one request, one response (RFC 5849, section 2).
package struct OAuth1Client: Sendable {
    private let consumer: OAuth1Consumer
    private let sender: any HTTPSending
    private let clock: any HostClock
    private let hidden: HiddenTexts

    /// A client.
    ///
    /// - Parameter hidden: What no message may quote, besides what is sent.
    package init(
        _ consumer: OAuth1Consumer,
        over sender: any HTTPSending,
        clock: any HostClock,
        hiding hidden: HiddenTexts = HiddenTexts()
    ) {
        (self.consumer, self.sender, self.clock) = (consumer, sender, clock)
        self.hidden = hidden.with(consumer.hidden.map { $0.reveal() })
    }

    /// Requests temporary credentials, and begins a consent with them.
    ///
    /// - Parameters:
    ///   - authorize: Where the person consents.
    ///   - redirectURI: Where their browser comes back to.
    ///   - lifetime: How long the consent waits.
    /// - Throws: `TokenFailure`.
    package func begin(
        at endpoint: OAuth1Endpoint,
        authorize: OAuth1Endpoint,
        redirectURI: String,
        lifetime: Duration = PendingConsent.lifetime,
        within total: Duration = .seconds(60)
    ) async throws(TokenFailure) -> PendingOAuth1Consent {
        let own = [(name: "oauth_callback", value: redirectURI)]
        let response = try await send(own, at: endpoint, with: nil, within: total)
        let now = clock.now()
        let temporary = try OAuth1Answer.read(response, to: .temporary, now: now, hidden)
        return PendingOAuth1Consent(
            temporary,
            authorize: authorize,
            redirectURI: redirectURI,
            lifetime: lifetime,
            now: now
        )
    }

    /// Requests the credentials for a consent.
    ///
    /// - Throws: `TokenFailure`.
    package func credentials(
        _ proof: PendingOAuth1Consent.Proof,
        at endpoint: OAuth1Endpoint,
        within total: Duration = .seconds(60)
    ) async throws(TokenFailure) -> OAuth1Credentials {
        let own = [(name: "oauth_verifier", value: proof.verifier.reveal())]
        let response = try await send(own, at: endpoint, with: proof.temporary, within: total)
        let shown = [proof.verifier, proof.temporary.token, proof.temporary.secret].map { $0.reveal() }
        return try OAuth1Answer.read(response, to: .token, now: clock.now(), hidden.with(shown))
    }

    private func send(
        _ own: [(name: String, value: String)],
        at endpoint: OAuth1Endpoint,
        with credentials: OAuth1Credentials?,
        within total: Duration
    ) async throws(TokenFailure) -> HTTPResponse {
        let request: HTTPRequest
        do {
            request = try endpoint.request(own, by: consumer, with: credentials, now: clock.now(), within: total)
        } catch { throw TokenFailure(.wrongClient, "the private key \(error)") }
        do { return try await sender.send(request) } catch { throw TokenFailure(error) }
    }
}
