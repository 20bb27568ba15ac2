internal import LosslessJSON
internal import PlugCore

/// Decides whether requests to a host make sense: a state machine without a clock. Times are microseconds of a steady clock.
///
/// It opens when half of ten or more calls within a minute fail, after five consecutive failures to connect, and after ten
/// consecutive failures of any kind, however far apart. While it is open, a request now and then probes whether the host is back.
struct Circuit: Sendable {
    /// What a request may do.
    enum Admission: Sendable, Equatable {
        /// Go.
        case go
        /// Go, and find out whether the host is back; all other requests wait for it.
        case probe
        /// Not before this time.
        case refused(until: Int64)
    }

    /// The outcome of a request.
    enum Outcome: Sendable, Equatable {
        /// The host has answered.
        case answered
        /// The host has failed.
        case failed(isConnecting: Bool)
        /// Nothing was learned about the host.
        case nothing
    }

    /// The interval between probes, initially and at most.
    private static let intervals: ClosedRange<Int64> = 30_000_000...900_000_000
    /// How many probes of an outage may come early, one per process: a person who runs it again after fixing the host does not
    /// have to wait.
    private static let earlyLimit = 10
    /// Calls are counted in half minutes, so those of the last 30 to 60 s count.
    private static let half: Int64 = 30_000_000

    /// When the next probe is due; `nil` while the circuit is closed.
    private(set) var openUntil: Int64?
    /// The last failure, for messages.
    var reason = ""
    private var probes = 0
    private var earlyProbes = 0
    private var mayProbeEarly = false
    private var isProbing = false
    private var failures = 0
    private var connectFailures = 0
    private var recent = (start: Int64.min, calls: 0, failures: 0)
    private var before = (calls: 0, failures: 0)
    /// Whether it was read from a writer whose clock was ahead.
    private(set) var isCorrected = false

    init() {}

    /// Whether a later process needs to know anything.
    var isNotable: Bool { openUntil != nil || failures > 0 }

    /// - Parameter random: A number in `0..<1`, evaluated only if needed.
    mutating func admit(now: Int64, random: @autoclosure () -> Double) -> Admission {
        guard let until = openUntil else { return .go }
        if isProbing { return .refused(until: max(until, now)) }
        if now >= until {
            // The next probe's time is set before this one is sent, so that a crash does not bring it forward.
            probes += 1
            open(now, random())
        } else if mayProbeEarly {
            earlyProbes += 1
        } else {
            return .refused(until: until)
        }
        mayProbeEarly = false
        isProbing = true
        return .probe
    }

    /// Learns from a request.
    ///
    /// - Parameter random: A number in `0..<1`, evaluated only if needed.
    /// - Returns: Whether the circuit opened or closed.
    mutating func note(
        _ outcome: Outcome,
        of admission: Admission,
        now: Int64,
        random: @autoclosure () -> Double
    ) -> Bool {
        if admission == .probe {
            isProbing = false
            // If the probe revealed nothing, the next request takes its place.
            if outcome == .nothing { openUntil = now }
        }
        switch outcome {
        case .nothing: return false
        case .answered:
            let wasOpen = openUntil != nil
            count(now, isFailure: false)
            (failures, connectFailures) = (0, 0)
            if wasOpen { self = Circuit() }
            return wasOpen
        case .failed(let isConnecting):
            // While it is open, requests that were in flight say nothing new.
            guard openUntil == nil else { return false }
            count(now, isFailure: true)
            failures += 1
            connectFailures = isConnecting ? connectFailures + 1 : 0
            let calls = recent.calls + before.calls
            let failed = recent.failures + before.failures
            guard connectFailures >= 5 || failures >= 10 || (calls >= 10 && failed * 2 >= calls) else { return false }
            open(now, random())
            return true
        }
    }

    private mutating func open(_ now: Int64, _ random: Double) {
        openUntil = now + Int64(Double(interval) * (0.8 + 0.4 * random))
    }

    /// The approximate time until the next probe.
    private var interval: Int64 {
        min(Self.intervals.upperBound, Self.intervals.lowerBound << Int64(min(max(0, probes), 10)))
    }

    /// Adopts the findings of another process that runs at the same time.
    ///
    /// - Parameter other: What it has written; `nil` if there is nothing to say about the host.
    /// - Returns: Whether that is news.
    mutating func adopt(_ other: Circuit?) -> Bool {
        guard !isProbing else { return false }
        let (mine, theirs) = (openUntil, other?.openUntil)
        switch (mine, theirs) {
        case (nil, nil): return false
        // The host has answered another process.
        case (.some, nil): self = Circuit()
        case (.some(let mine), .some(let theirs)) where theirs <= mine: return false
        case (_, .some):
            guard let other else { return false }
            let may = mayProbeEarly && mine != nil
            self = other
            // Each process has its own early probe; this one has already reached the host.
            mayProbeEarly = may
        }
        return true
    }

    private mutating func count(_ now: Int64, isFailure: Bool) {
        if now >= recent.start &+ Self.half || now < recent.start || recent.start == .min {
            let isNext = recent.start != .min && now < recent.start &+ 2 * Self.half && now >= recent.start
            before = isNext ? (recent.calls, recent.failures) : (0, 0)
            recent = (now, 0, 0)
        }
        recent.calls += 1
        if isFailure { recent.failures += 1 }
    }

    // MARK: - On the disk

    /// What a later process has to know.
    func bytes(at mark: SteadyMark) -> [UInt8] {
        var object = JSONObject([("v", .integer(1))])
        mark.write(to: &object)
        object["until"] = openUntil.map { .integer(Int($0)) }
        object["probes"] = .integer(probes)
        object["early"] = .integer(earlyProbes)
        object["failures"] = .integer(failures)
        object["connecting"] = .integer(connectFailures)
        object["reason"] = .text(reason)
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        return bytes
    }

    /// What an earlier process left; `nil` if it is of another version.
    ///
    /// A time further ahead than the next probe can be was written by a clock that was ahead: the host is then probed as if the
    /// circuit had opened now. `isCorrected` is set and the circuit must be written: otherwise each reading would start again.
    init?(_ bytes: [UInt8], mark: SteadyMark, now: Int64) {
        guard let value = try? JSONValue(parsing: bytes), value["v"]?.number?.int64 == 1,
            let written = SteadyMark(value)
        else { return nil }
        func number(_ name: String) -> Int { Int(value[name]?.number?.int64 ?? 0) }
        probes = number("probes")
        if let until = value["until"]?.number?.int64 {
            let (shifted, latest) = (until &+ written.shift(to: mark), now + interval * 6 / 5)
            openUntil = min(shifted, latest)
            isCorrected = shifted > latest
        }
        earlyProbes = number("early")
        failures = number("failures")
        connectFailures = number("connecting")
        reason = value["reason"]?.stringText ?? ""
        mayProbeEarly = openUntil != nil && earlyProbes < Self.earlyLimit
    }
}
