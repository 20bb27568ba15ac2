internal import Connecting
internal import CurlTransport
internal import OAuth
internal import PlugCore

/// How a person's consent with OAuth 1.0a is obtained.
struct OAuth1Consent: Sendable {
    let plan: OAuth1Plan
    let visit: BrowserVisit
    let sender: any HTTPSending
    let context: CommandContext

    /// Asks the person, and passes the result to `finish`, whose text the browser shows.
    ///
    /// - Parameter finish: Does what is left once there is a token; called at most once.
    /// - Throws: `PlugError`, `CancellationError`, and the errors of `finish`.
    func run<Result: Sendable>(
        finish: @escaping @Sendable (Grant) async throws -> (result: Result, words: String)
    ) async throws -> Result {
        return try await visit.run { redirectURI in
            do throws(TokenFailure) {
                let clock = context.clock
                let pending = try await plan.begin(redirectURI: redirectURI, over: sender, clock: clock)
                return (pending, pending.url)
            } catch { throw error.consentError(from: plan.host, isOAuth1: true) }
        } finish: { proof in
            let grant: Grant
            do throws(TokenFailure) {
                grant = try await plan.grant(proof, over: sender, clock: context.clock)
            } catch { throw error.consentError(from: plan.host, isOAuth1: true) }
            return try await finish(grant)
        }
    }
}
