import Foundation
import Glibc
import Synchronization

/// Kills one process at a time: so many microseconds after its n-th request, or after its start.
final class Executioner: Sendable {
    private struct Victim {
        var process: pid_t
        var requests: Int
        var delay: UInt32
    }

    private let victim = Mutex<Victim?>(nil)

    /// - Parameter requests: 0 counts the delay from now.
    func condemn(_ process: pid_t, afterRequests requests: Int, delay: UInt32) {
        victim.withLock { $0 = Victim(process: process, requests: requests, delay: delay) }
        if requests == 0 { strike(process, after: delay) }
    }

    /// A request has arrived.
    func hear() {
        let due = victim.withLock { victim -> Victim? in
            guard victim != nil else { return nil }
            victim?.requests -= 1
            return victim?.requests == 0 ? victim : nil
        }
        if let due { strike(due.process, after: due.delay) }
    }

    /// The process has ended, and its number may be another's.
    func release() { victim.withLock { $0 = nil } }

    private func strike(_ process: pid_t, after delay: UInt32) {
        Thread.detachNewThread { [self] in
            usleep(delay)
            // Under the lock, so that nobody else gets the number meanwhile.
            victim.withLock { if $0?.process == process { _ = kill(process, SIGKILL) } }
        }
    }
}
