import CurlTransport
import PlugCore
import PlugManifest
import Synchronization
import Throttling

extension Exchange {
    /// Waits until a limit of the source lets a request out.
    ///
    /// - Parameter ofPath: Whether the limit is for some paths only: then it does not end the run.
    func wait(for limit: SourceLimit, _ request: SourceRequest, ofPath: Bool = false) async throws {
        try await refusing(request, ofPath: ofPath, isShared: limit === self.limit && !hosts.areConfigured) {
            try await limit.pass(as: request.turn, waitingAtMost: settings.retry.maximumWait) { until in
                self.note(request.stream, .waiting(reason: .rate, until: until))
            }
        }
    }

    /// Waits until a limit for some paths could let a request out.
    func waitUntilDue(_ limit: SourceLimit, _ request: SourceRequest) async throws {
        try await refusing(request, ofPath: true) {
            try await limit.waitUntilDue(waitingAtMost: settings.retry.maximumWait) { until in
                self.note(request.stream, .waiting(reason: .rate, until: until))
            }
        }
    }

    /// Reports in the manifest's terms that a wait would be too long.
    ///
    /// - Parameter isShared: Whether all connections of the plug have the same limit.
    private func refusing(
        _ request: SourceRequest,
        ofPath: Bool,
        isShared: Bool = false,
        _ wait: () async throws -> Void
    ) async throws {
        do {
            try await wait()
        } catch let closed as SourceLimit.Closed {
            // If another request received the source's answer, its error says more.
            if closed.isAsked, let told = told.withLock({ $0 }), told.until > clock.now() {
                var error = told.error
                error.reach = .run
                error.concernsPlug = isShared
                throw error
            }
            var error = SourceFault.limited(
                name(request.prepared),
                until: closed.until,
                now: clock.now(),
                isAsked: closed.isAsked
            )
            if ofPath { error.reach = .stream }
            error.concernsPlug = isShared && !ofPath
            throw error
        }
    }

    /// The time of the clock after a wait, in microseconds since 1970.
    func time(after wait: Duration) -> Int64 { clock.now() + wait.wholeMicroseconds }

    /// Pauses if a good answer says that it was the last one for a while.
    func applyRequestedWait(_ response: HTTPResponse, to request: PreparedRequest) async {
        guard let wait = RequestedWait.quota(response.headers, quotaRule, now: clock.now()) else { return }
        await concerned(by: nil, of: request).close(for: wait, isLasting: true)
    }

    /// Pauses for the wait of a rule that takes an answer for a good one.
    func applyRuledWait(_ rule: StatusRule?, _ response: HTTPResponse, to request: SourceRequest) async throws {
        guard let wait = try ruledWait(rule, response, request, instead: "nothing was waited for") else { return }
        await concerned(by: nil, of: request.prepared).close(for: wait, isLasting: wait >= .seconds(1))
    }

    /// What the source's own headers say about its quota.
    var quotaRule: QuotaRule? {
        settings.quotaHeaders.map { headers in
            let counter: QuotaRule.Counter =
                switch headers.counter {
                case .remaining(let name): .remaining(name)
                case .used(let name, let limit): .used(name, limit: limit)
                }
            return QuotaRule(counter, reset: headers.reset, wait: headers.wait, periods: headers.periods)
        }
    }

    /// Who is affected when the source asks for a pause: this connection, if it is identified by its credentials; all that share
    /// the limit, if it is not, or if the source itself is unavailable (503).
    ///
    /// - Parameter status: The status of an unsuccessful answer; `nil` without an answer.
    func concerned(by status: Int?, of request: PreparedRequest) -> SourceLimit {
        credentials(of: request).areEmpty || status == 503 ? limit : own
    }
}
