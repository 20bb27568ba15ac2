package import CurlTransport
package import PlugCore

/// Requests tokens over a transport: one request, one response. Whether and when to retry is up to the caller.
package struct TokenClient: Sendable {
    private let sender: any HTTPSending
    private let clock: any HostClock
    private let hidden: HiddenTexts

    /// A client.
    ///
    /// - Parameter hidden: What no message may quote, besides what is sent.
    package init(over sender: any HTTPSending, clock: any HostClock, hiding hidden: HiddenTexts = HiddenTexts()) {
        self.sender = sender
        self.clock = clock
        self.hidden = hidden
    }

    /// Requests an access token.
    ///
    /// - Parameter total: How long it may take in all.
    /// - Throws: `TokenFailure`.
    package func token(
        _ request: TokenRequest,
        _ reading: TokenReading,
        within total: Duration = .seconds(60)
    ) async throws(TokenFailure) -> TokenAnswer {
        let response = try await send(request.httpRequest(within: total))
        return try reading.read(response, now: clock.now(), hiding: hidden.with(request.hidden))
    }

    /// Requests a device code.
    ///
    /// - Throws: `TokenFailure`.
    package func deviceCode(_ request: DeviceRequest) async throws(TokenFailure) -> DeviceAuthorization {
        try DeviceAuthorization(
            try await send(request.httpRequest()),
            now: clock.now(),
            hiding: hidden.with(request.client.hidden)
        )
    }

    private func send(_ request: HTTPRequest) async throws(TokenFailure) -> HTTPResponse {
        do { return try await sender.send(request) } catch { throw TokenFailure(error) }
    }
}
