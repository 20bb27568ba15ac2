internal import Connecting
internal import CurlTransport
internal import OAuth
internal import PlugCore
internal import PlugManifest

/// How a person's consent is come by, and what is said to them meanwhile.
struct Consent: Sendable {
    /// How the browser's answer comes here.
    enum Way: Sendable {
        /// It comes back to a port of this machine; 0 for a free one.
        case listening(port: Int, opensBrowser: Bool)
        /// The person copies the address.
        case pasting(port: Int?)
    }

    let plan: ConsentPlan
    let way: Way
    let sender: any HTTPSending
    let context: CommandContext

    /// The port in the address that is pasted, where none is given: nobody listens there.
    static let pastedPort = 53_127

    private var clock: any HostClock { context.clock }
    private var tokens: TokenClient { TokenClient(over: sender, clock: clock, hiding: plan.hidden) }

    /// Asks the person, and gives what came of it to `finish`, whose words the browser shows.
    ///
    /// - Parameter finish: Does what is left once there are tokens; called once at most.
    /// - Throws: `PlugError`, `CancellationError`, and what `finish` throws.
    func run<Result: Sendable>(
        finish: @escaping @Sendable (Grant) async throws -> (result: Result, words: String)
    ) async throws -> Result {
        if plan.settings.grant == .deviceCode { return try await finish(try await deviceGrant()).result }
        switch way {
        case .listening(let port, let opensBrowser):
            let listener = try CallbackListener(port: port)
            let pending = try begin(listener.redirectURI)
            show(pending.url, isOpened: opensBrowser && Browser.open(pending.url.description, context.environment))
            return try await BrowserAnswer(pending, plan, clock: clock).wait(at: listener) { proof in
                try await finish(try await grant(proof))
            }
        case .pasting(let port):
            var pending = try begin("http://127.0.0.1:\(port ?? Self.pastedPort)\(CallbackListener.path)")
            context.errors.write(
                """
                Open this address in any browser and consent:

                  \(pending.url)

                The browser then shows an error, or nothing, at an address that begins with
                \(pending.redirectURI). Copy that whole address, and paste it here:

                """
            )
            guard let query = try await PastedAnswer.query() else {
                throw PlugError(.consentUnanswered, "nothing was pasted", advice: "run it again")
            }
            let proof: TokenRequest.Proof
            do { proof = try pending.answer(query, now: clock.now(), hiding: plan.hidden) } catch {
                throw error.plugError(from: plan.host)
            }
            return try await finish(try await grant(proof)).result
        }
    }

    private func begin(_ redirectURI: String) throws(PlugError) -> PendingConsent {
        guard let request = try plan.authorization(redirectURI: redirectURI) else {
            throw PlugError(.consentUnanswered, "the manifest has no 'authorize'", advice: "run 'plughost validate'")
        }
        return PendingConsent(request, now: clock.now())
    }

    private func show(_ url: HTTPURL, isOpened: Bool) {
        let first =
            isOpened
            ? "The browser shows what there is to consent to. If it does not, open this address:"
            : "Open this address in a browser on this machine, and consent:"
        context.errors.write("\(first)\n\n  \(url)\n\nWaiting for the browser to come back (5 minutes) …\n")
    }

    /// The tokens for a code.
    private func grant(_ proof: TokenRequest.Proof) async throws -> Grant {
        let request = TokenRequest(proof, by: plan.client, at: plan.token)
        do throws(TokenFailure) {
            let answer = try await tokens.token(request, plan.reading)
            return Grant(answer, asked: plan.scopes, now: clock.now())
        } catch {
            var failure = error
            // Nothing was connected that could be dead: the code is not taken.
            if failure.kind == .dead { failure.kind = .refused }
            throw failure.plugError(from: plan.host)
        }
    }

    // MARK: - Devices

    private func deviceGrant() async throws -> Grant {
        guard let request = try plan.device() else {
            throw PlugError(.consentUnanswered, "the manifest has no 'device'", advice: "run 'plughost validate'")
        }
        let device: DeviceAuthorization
        do { device = try await tokens.deviceCode(request) } catch { throw error.plugError(from: plan.host) }
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
        throw failure.plugError(from: plan.host)
    }
}
