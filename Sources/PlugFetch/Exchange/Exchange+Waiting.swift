import HTTPTransport
import PlugCore
import PlugManifest
import Synchronization

extension Exchange {
    /// Waits until all limits of the source let a request out.
    func waitForRates(_ stream: String, _ request: String) async throws {
        try await waitForQuota(stream, request)
        do {
            try await limit.pass(waitingAtMost: settings.retry.maximumWait) { until in
                self.note(stream, .waiting(reason: .rate, until: until))
            }
        } catch let closed as SourceLimit.Closed {
            throw SourceFault.limited(request, until: closed.until)
        }
    }

    /// Waits until the connection's own quota begins anew.
    private func waitForQuota(_ stream: String, _ request: String) async throws {
        let (mark, now, time) = (SteadyMark(clock), clock.steady().microseconds, quota.withLock { $0 })
        guard time > now else { return }
        let (wait, until) = (Duration.microseconds(time - now), mark.wall(of: time))
        guard wait <= settings.retry.maximumWait else { throw SourceFault.limited(request, until: until) }
        note(stream, .waiting(reason: .rate, until: until))
        try await clock.sleep(for: wait)
    }

    /// Stays away where a good answer says that it was the last one for a while.
    func heed(_ response: HTTPResponse) async {
        guard let wait = SourceQuota.wait(response.headers, now: clock.now()) else { return }
        if credentials.areEmpty {
            await limit.close(for: wait, isLasting: true)
        } else {
            // The quota is that of whoever asks, and others have their own.
            let time = clock.steady().microseconds + Int64(wait / .microseconds(1))
            quota.withLock { $0 = max($0, time) }
        }
    }

    /// Waits before the next try, or throws what the last one came to.
    func again(
        _ tries: inout Tries,
        _ request: String,
        asked: Duration?,
        isLimit: Bool,
        mayHelp: Bool = true
    ) async throws {
        guard let fault = tries.fault, mayHelp else { throw tries.fault ?? .interrupted }
        let step = tries.plan.failed(asked: asked, random: clock.random())
        // What the source asks for holds for all requests to it, not for this one alone, and on the last try too.
        if let asked { await limit.close(for: asked, isLasting: asked >= .seconds(1)) }
        let now = clock.now()
        switch step {
        case .exhausted: throw fault
        case .tooLong(let wait): throw SourceFault.limited(request, until: now + Int64(wait / .microseconds(1)))
        case .wait(let wait, let reason):
            if isLimit, asked == nil { await limit.close(for: wait, isLasting: false) }
            tries.isRetry = reason == .backoff
            note(tries.stream, .waiting(reason: reason, until: now + Int64(wait / .microseconds(1))))
            try await clock.sleep(for: wait)
        }
    }
}
