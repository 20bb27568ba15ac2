import Glibc

/// Time and randomness, replaceable in tests.
public protocol HostClock: Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    func now() -> Int64
    /// Waits; throws `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
    /// Waits for a time limit, beside work that usually ends before it; throws `CancellationError` when the task is cancelled. If
    /// time passes only while something waits, it does not pass for limits: test clocks leave this to the default, which waits
    /// until it is cancelled.
    func timeout(after duration: Duration) async throws
    /// A number in `0..<1`, for jitter.
    func random() -> Double
    /// A time that no one sets, for measuring. Test clocks, which no one sets either, may leave it to `now`.
    func steady() -> SteadyTime
}

extension HostClock {
    /// The real time, for clocks that are never set.
    public func steady() -> SteadyTime { SteadyTime(era: "", microseconds: now()) }

    /// Waits until cancelled: the limit never comes.
    public func timeout(after duration: Duration) async throws {
        while true { try await Task.sleep(for: .seconds(86_400)) }
    }
}

/// The machine's clock and random number generator.
public struct SystemClock: HostClock {
    /// The real clock.
    public init() {}

    /// Microseconds since 1970 from the real-time clock.
    public func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Waits on the monotonic clock.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

    /// Waits on the monotonic clock.
    public func timeout(after duration: Duration) async throws { try await Task.sleep(for: duration) }

    /// A random number from the system's generator.
    public func random() -> Double { .random(in: 0..<1) }

    /// The time since the machine's boot, sleep included.
    public func steady() -> SteadyTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return SteadyTime(era: Self.boot, microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// The kernel's id of this boot; if it cannot be read, one that no other process has.
    private static let boot: String = {
        let unknown = "\(getpid()) \(UInt64.random(in: .min ... .max))"
        // open(2) gives a descriptor that is ours to close, or -1; read(2) fills at most what it is given.
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return unknown }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 36)
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        return count == 36 ? String(decoding: bytes, as: UTF8.self) : unknown
    }()
}
