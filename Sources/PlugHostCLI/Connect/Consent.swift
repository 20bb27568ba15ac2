internal import Connecting
internal import CurlTransport
internal import OAuth
internal import PlugCore
internal import PlugManifest

/// How a person's consent is obtained, and what they are shown meanwhile.
struct Consent: Sendable {
    let plan: ConsentPlan
    let visit: BrowserVisit
    let sender: any HTTPSending
    let context: CommandContext

    private var clock: any HostClock { context.clock }
    private var tokens: TokenClient { TokenClient(over: sender, clock: clock, hiding: plan.hidden) }

    /// Asks the person, and passes the result to `finish`, whose text the browser shows.
    ///
    /// - Parameter finish: Does what is left once there are tokens; called at most once.
    /// - Throws: `PlugError`, `CancellationError`, and the errors of `finish`.
    func run<Result: Sendable>(
        finish: @escaping @Sendable (Grant) async throws -> (result: Result, words: String)
    ) async throws -> Result {
        if plan.settings.grant == .deviceCode { return try await finish(try await deviceGrant()).result }
        return try await visit.run { redirectURI in
            guard let request = try plan.authorization(redirectURI: redirectURI) else {
                throw PlugError(
                    .consentUnanswered,
                    "the manifest has no 'authorize'",
                    advice: "run 'plughost validate'"
                )
            }
            let pending = PendingConsent(request, now: clock.now())
            return (pending, pending.url)
        } finish: { proof in
            try await finish(try await grant(proof))
        }
    }

    /// The tokens for a code.
    private func grant(_ proof: TokenRequest.Proof) async throws -> Grant {
        let request = TokenRequest(proof, by: plan.client, at: plan.token)
        do throws(TokenFailure) {
            let answer = try await tokens.token(request, plan.reading)
            return Grant(answer, asked: plan.scopes, now: clock.now())
        } catch { throw error.consentError(from: plan.host) }
    }

    // MARK: - Devices

    private func deviceGrant() async throws -> Grant {
        guard let request = try plan.device() else {
            throw PlugError(.consentUnanswered, "the manifest has no 'device'", advice: "run 'plughost validate'")
        }
        let device: DeviceAuthorization
        do { device = try await tokens.deviceCode(request) } catch { throw error.consentError(from: plan.host) }
        let direct = device.completeAddress.map { "\nOr open \($0), which has the code in it.\n" } ?? ""
        context.errors.write(
            "Open \(device.address) on any device, and type this code:\n\n  \(device.userCode)\n\(direct)\nWaiting …\n"
        )
        var polling = DevicePolling(device)
        var step = polling.begin(now: clock.now())
        while case .wait(let duration) = step {
            try await clock.sleep(for: duration)
            let question = TokenRequest(.deviceCode(device.deviceCode), by: plan.client, at: plan.token)
            do throws(TokenFailure) {
                let answer = try await tokens.token(question, plan.reading)
                return Grant(answer, asked: plan.scopes, now: clock.now())
            } catch { step = polling.next(after: error, now: clock.now()) }
        }
        try Task.checkCancellation()
        guard case .stop(let failure) = step else { throw CancellationError() }
        throw failure.consentError(from: plan.host)
    }
}
