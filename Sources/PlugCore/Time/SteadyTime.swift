public import LosslessJSON

/// A moment on a clock that no one sets: it counts on while the machine sleeps and ends with the machine's boot.
public struct SteadyTime: Sendable, Equatable {
    /// Identifies the boot; times of two boots are not comparable.
    public var era: String
    /// Microseconds since some moment of the era.
    public var microseconds: Int64

    /// A moment.
    public init(era: String, microseconds: Int64) {
        self.era = era
        self.microseconds = microseconds
    }
}

/// The steady and the real time of one moment: stored beside steady times, so that a later process can tell what they mean by its
/// own clock.
public struct SteadyMark: Sendable, Equatable {
    private let steady: SteadyTime
    private let wall: Int64

    /// The current moment.
    public init(_ clock: any HostClock) {
        steady = clock.steady()
        wall = clock.now()
    }

    /// Reads a mark from an object written by `write`.
    public init?(_ value: JSONValue) {
        guard let era = value["era"]?.stringText, let steady = value["steady"]?.number?.int64,
            let wall = value["wall"]?.number?.int64
        else { return nil }
        self.steady = SteadyTime(era: era, microseconds: steady)
        self.wall = wall
    }

    /// Adds the mark's members to an object.
    public func write(to object: inout JSONObject) {
        object["era"] = .text(steady.era)
        object["steady"] = .integer(Int(steady.microseconds))
        object["wall"] = .integer(Int(wall))
    }

    /// What to add to a steady time of this mark to make it one of `now`.
    ///
    /// Within a boot it is 0, whatever happened to the machine's real-time clock. After a reboot that clock is all there is.
    public func shift(to now: SteadyMark) -> Int64 {
        if steady.era == now.steady.era, steady.microseconds <= now.steady.microseconds { return 0 }
        return (wall &- steady.microseconds) &- (now.wall &- now.steady.microseconds)
    }

    /// The real time of a steady one, in microseconds since 1970.
    public func wall(of time: Int64) -> Int64 {
        let (sum, overflows) = time.addingReportingOverflow(wall &- steady.microseconds)
        return overflows ? .max : sum
    }
}
