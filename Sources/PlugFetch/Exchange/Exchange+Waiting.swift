import CurlTransport
import PlugCore
import PlugManifest
import Synchronization

extension Exchange {
    /// Waits until all limits of the source let a request out: those that the connection was told of, and those of all.
    func waitForRates(_ stream: String, _ request: String) async throws {
        do {
            for limit in [own, limit] {
                try await limit.pass(waitingAtMost: settings.retry.maximumWait) { until in
                    self.note(stream, .waiting(reason: .rate, until: until))
                }
            }
        } catch let closed as SourceLimit.Closed {
            throw SourceFault.limited(request, until: closed.until, isAsked: closed.isAsked)
        }
    }

    /// Stays away where a good answer says that it was the last one for a while.
    func applyRequestedWait(_ response: HTTPResponse) async {
        guard let wait = SourceQuota.wait(response.headers, now: clock.now()) else { return }
        await concerned(by: nil).close(for: wait, isLasting: true)
    }

    /// Whom it concerns that the source wants to be left alone: whoever asked, where it knows them by their credentials; all
    /// that share the limit, where it knows nobody, or where it says of itself that it cannot serve (503).
    ///
    /// - Parameter status: The status of an answer that is no good one.
    private func concerned(by status: Int?) -> SourceLimit { credentials.areEmpty || status == 503 ? limit : own }

    /// Waits before the next try, or throws what the last one came to.
    ///
    /// - Parameters:
    ///   - status: What was answered, `nil` without an answer.
    ///   - asked: How long the source wants to be left alone.
    func again(
        _ tries: inout Tries,
        _ request: String,
        status: Int? = nil,
        asked: Duration?,
        isLimit: Bool,
        mayHelp: Bool = true
    ) async throws {
        guard let fault = tries.fault, mayHelp else { throw tries.fault ?? .interrupted }
        let step = tries.plan.failed(asked: asked, random: clock.random())
        // What the source asks for holds for all requests that it concerns, not for this one alone, and on the last try too.
        let limit = concerned(by: status)
        if let asked { await limit.close(for: asked, isLasting: asked >= .seconds(1)) }
        let now = clock.now()
        switch step {
        case .exhausted: throw fault
        case .tooLong(let wait):
            throw SourceFault.limited(request, until: now + Int64(wait / .microseconds(1)), isAsked: true)
        case .wait(let wait, let reason):
            if isLimit, asked == nil { await limit.close(for: wait, isLasting: false) }
            tries.isRetry = reason == .backoff
            note(tries.stream, .waiting(reason: reason, until: now + Int64(wait / .microseconds(1))))
            try await clock.sleep(for: wait)
        }
    }
}
