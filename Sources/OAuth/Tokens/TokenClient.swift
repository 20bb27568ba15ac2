package import CurlTransport
package import PlugCore

/// Asks for tokens over a transport: one request, one answer. Whether and when to ask again is the caller's to decide.
package struct TokenClient: Sendable {
    private let sender: any HTTPSending
    private let clock: any HostClock
    private let hidden: HiddenTexts

    /// A client.
    ///
    /// - Parameter hidden: What no message may quote, beside what is sent.
    package init(over sender: any HTTPSending, clock: any HostClock, hiding hidden: HiddenTexts = HiddenTexts()) {
        self.sender = sender
        self.clock = clock
        self.hidden = hidden
    }

    /// Asks for an access token.
    ///
    /// - Parameter total: How long it may take, all of it.
    /// - Throws: `TokenFailure`.
    package func token(
        _ request: TokenRequest,
        _ reading: TokenReading,
        within total: Duration = .seconds(60)
    ) async throws(TokenFailure) -> TokenAnswer {
        let response = try await send(request.httpRequest(within: total))
        return try reading.read(response, now: clock.now(), hiding: hidden.with(request.hidden))
    }

    /// Asks for a device code.
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
