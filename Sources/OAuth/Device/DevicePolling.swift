internal import CurlTransport
internal import PlugCore

/// When to ask whether the person has decided (RFC 8628, section 3.5). It decides without I/O: times and answers go in, and
/// what to do next comes out.
package struct DevicePolling: Sendable {
    /// What to do next.
    package enum Step: Sendable, Equatable {
        /// Wait so long, and ask.
        case wait(Duration)
        /// Stop asking.
        case stop(TokenFailure)
    }

    /// How long to wait between two questions, as far as answers have shown.
    package private(set) var interval: Duration
    private let ends: Int64

    /// What is added where a service wants to be asked more rarely: the standard's.
    private static let slowing = Duration.seconds(5)
    /// Longer than this nobody waits between two questions.
    private static let longest = Duration.seconds(600)

    /// Polling for an authorisation that was just given.
    package init(_ authorization: DeviceAuthorization) {
        interval = authorization.interval
        ends = authorization.ends
    }

    /// Polling that another process has begun.
    ///
    /// - Parameter interval: What it had come to.
    package init(_ authorization: DeviceAuthorization, interval: Duration) {
        (self.interval, ends) = (interval, authorization.ends)
    }

    /// What to do before the first question.
    package func begin(now: Int64) -> Step { next(now: now) }

    /// What to do after a question that gave no token.
    package mutating func next(after failure: TokenFailure, now: Int64) -> Step {
        switch failure.kind {
        case .pending: break
        case .slowDown: interval = min(interval + Self.slowing, Self.longest)
        case .passing(let wait):
            // The standard wants a back-off where a connection fails, and suggests twice the time.
            interval = min(max(interval * 2, wait ?? .zero), Self.longest)
        case .unreachable(let error):
            if error.code == .cancelled || error.code == .shutDown { return .stop(failure) }
            interval = min(interval * 2, Self.longest)
        case .dead, .wrongClient, .unreadable, .unusable, .misdirected, .denied, .expired, .refused:
            return .stop(failure)
        }
        return next(now: now)
    }

    private func next(now: Int64) -> Step {
        let (then, overflows) = now.addingReportingOverflow(Int64(interval / .microseconds(1)))
        guard !overflows, then < ends else {
            return .stop(TokenFailure(.expired, "the code was not confirmed in time", code: "expired_token"))
        }
        return .wait(interval)
    }
}
