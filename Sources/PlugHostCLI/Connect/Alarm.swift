internal import Glibc

/// Wakes threads that wait for a descriptor, once and for all: at Ctrl-C, or when there is nothing more to wait for.
final class Alarm: Sendable {
    /// The end of a socketpair(2) that threads wait for. It is never read: once signalled, it wakes every thread.
    private let descriptor: Int32
    /// The end that is written to.
    private let bell: Int32

    /// The poll(2) events of a descriptor.
    enum Event {
        case ready
        case rung
        case late
    }

    /// No descriptor is free.
    struct CannotWait: Error {}

    /// - Throws: `CannotWait` if the process may open no more files.
    init() throws(CannotWait) {
        var ends: [Int32] = [-1, -1]
        // We must close both ends, and no program that is started inherits them.
        let isMade = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        (descriptor, bell) = (ends[0], ends[1])
        if !isMade { throw CannotWait() }
    }

    deinit {
        close(descriptor)
        close(bell)
    }

    /// Wakes all, now and later.
    func ring() {
        var byte: UInt8 = 1
        // One byte always fits; a few more do no harm. It does not block even if it is called a thousand times.
        _ = send(bell, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }

    /// Blocks until there is something to read, until the alarm, or for this number of milliseconds; -1 for as long as it takes.
    func wait(for other: Int32, milliseconds: Int32 = -1) -> Event {
        var descriptors = [
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
            // A signal is not an event. A timeout that restarts after one is longer, but ends.
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return .late }
            return descriptors[1].revents != 0 ? .rung : .ready
        }
    }
}
