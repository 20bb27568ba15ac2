internal import CurlTransport
internal import PlugCore

/// When to ask whether the person has decided (RFC 8628, section 3.5). It does no I/O: times and responses go in, and the next
/// step comes out.
package struct DevicePolling: Sendable {
    /// What to do next.
    package enum Step: Sendable, Equatable {
        /// Wait this long, then ask.
        case wait(Duration)
        /// Stop asking.
        case stop(TokenFailure)
    }

    /// How long to wait between polls, as adjusted by responses so far.
    package private(set) var interval: Duration
    private let ends: Int64

    /// The standard's increment if a service wants to be asked less often.
    private static let slowing = Duration.seconds(5)
    /// The longest wait between polls.
    private static let longest = Duration.seconds(600)

    /// Polling for a new authorisation.
    package init(_ authorization: DeviceAuthorization) {
        interval = authorization.interval
        ends = authorization.ends
    }

    /// Polling that another process has begun.
    ///
    /// - Parameter interval: The interval it had reached.
    package init(_ authorization: DeviceAuthorization, interval: Duration) {
        (self.interval, ends) = (interval, authorization.ends)
    }

    /// What to do before the first poll.
    package func begin(now: Int64) -> Step { next(now: now) }

    /// What to do after a poll that gave no token.
    package mutating func next(after failure: TokenFailure, now: Int64) -> Step {
        switch failure.kind {
        case .pending: break
        case .slowDown: interval = min(interval + Self.slowing, Self.longest)
        case .passing(let wait):
            // The standard requires a back-off if a connection fails, and suggests doubling the interval.
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
        let (then, overflows) = now.addingReportingOverflow(interval.wholeMicroseconds)
        guard !overflows, then < ends else {
            return .stop(TokenFailure(.expired, "the code was not confirmed in time", code: "expired_token"))
        }
        return .wait(interval)
    }
}
