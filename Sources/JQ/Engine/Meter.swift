import LosslessJSON

/// Measures what a run does and holds. Used by one machine on one thread.
final class Meter {
    /// How many containers a program may nest in a tree that leaves the engine, the same as a document may: recursion over trees
    /// is safe with both together. Inside, values may be as deep as memory allows.
    static let treeDepth = 128

    /// Steps between two checks of the task and the clock: a few milliseconds.
    static let slice = 1 << 16
    /// Bytes read or written per step.
    static let stepBytes = 16

    private(set) var limits: JQLimits
    /// When the time of all runs with this meter is over.
    private let end: Duration?
    /// Steps left of this slice.
    private var steps = 0
    /// Steps left of the limit beyond it.
    private var reserve: Int
    /// When the time is over; determined once the first slice is used up, as most runs end before.
    private var deadline: Duration?
    /// Compiled once, for all later runs with this meter.
    fileprivate var expressions: [String: Expression] = [:]
    /// Why a run has ended, if that could not be reported at once.
    private var failure: JQError?
    /// Bytes taken since the machine last checked what it really holds.
    private(set) var taken = 0

    init(_ limits: JQLimits, until end: Duration? = nil) {
        self.limits = limits
        self.end = end
        reserve = limits.steps
    }

    /// Starts again, for another run.
    func begin(_ limits: JQLimits) {
        self.limits = limits
        steps = 0
        reserve = limits.steps
        deadline = nil
        failure = nil
        taken = 0
    }

    @inline(__always)
    func step(_ count: Int = 1) throws(JQError) {
        steps &-= count
        if steps < 0 { try refill() }
    }

    /// Pays for reading or writing bytes.
    @inline(__always)
    func work(_ bytes: Int) throws(JQError) { try step(bytes / Self.stepBytes) }

    /// A lower bound for the bytes that can be read or written before the steps are used up.
    var affordableBytes: Int {
        let (left, isMore) = max(steps, 0).addingReportingOverflow(reserve)
        let (bytes, isMuchMore) = left.multipliedReportingOverflow(by: Self.stepBytes)
        return isMore || isMuchMore ? .max - Self.stepBytes : bytes + Self.stepBytes
    }

    /// Pays for work that is done, and checks the task and the clock now.
    func look(after count: Int) throws(JQError) {
        try step(count)
        if Task.isCancelled { throw interrupted }
        if deadline != nil, let stop = timeError(at: limits.clock()) { throw stop }
    }

    private func refill() throws(JQError) {
        if let stop = draw() { throw stop }
    }

    /// Begins another slice.
    ///
    /// - Returns: Why there is none, or `nil`.
    private func draw() -> JQError? {
        if Task.isCancelled { return interrupted }
        guard steps > .min, reserve >= -steps else { return stepsError }
        let drawn = min(reserve, Self.slice - steps)
        let isFirst = reserve == limits.steps
        reserve -= drawn
        steps += drawn
        if isFirst { return nil }
        let now = limits.clock()
        if deadline == nil { deadline = now + limits.time }
        return timeError(at: now)
    }

    /// For comparisons inside sorting, which cannot throw: `check` does so afterwards.
    @inline(__always)
    func spend(_ count: Int) {
        steps &-= count
        if steps < 0, failure == nil { failure = draw() }
    }

    /// Remembers an error that cannot be thrown here: `check` throws it afterwards.
    func fail(_ error: JQError) { if failure == nil { failure = error } }

    /// Whether a run is over.
    @inline(__always)
    var isExhausted: Bool { failure != nil }

    func check() throws(JQError) {
        guard let stop = failure else { return }
        // An error that a program can catch does not end it.
        if case .thrown = stop.kind { failure = nil }
        throw stop
    }

    private var interrupted: JQError { JQError(.cancelled, message: "the program was interrupted") }
    private var stepsError: JQError {
        JQError(
            .steps,
            message: "the program took more than \(limits.steps) steps, the limit for one evaluation: "
                + "it must do less work, or use smaller values"
        )
    }
    /// Why the time is over; `nil` if it is not.
    private func timeError(at now: Duration) -> JQError? {
        if let end, now >= end {
            return JQError(
                .time,
                message: "the program ran after the processor time for all its evaluations was used up"
            )
        }
        guard let deadline, now >= deadline else { return nil }
        return JQError(
            .time,
            message: "the program ran for more than \(limits.time), the limit for one evaluation: "
                + "it must do less work, or use smaller values"
        )
    }
    var bytesError: JQError {
        JQError(
            .bytes,
            message: "the program held more than \(limits.bytes) bytes, the limit for one evaluation: "
                + "it must hold less at a time"
        )
    }

    /// Announces memory before it is taken.
    @inline(__always)
    func take(_ bytes: Int) throws(JQError) {
        let (sum, overflow) = taken.addingReportingOverflow(bytes)
        if overflow || bytes > limits.bytes || sum > 2 * limits.bytes { throw bytesError }
        taken = sum
    }

    /// Announces elements that are copied or made.
    @inline(__always)
    func copy(elements count: Int) throws(JQError) {
        try step(count / 4)
        try take(count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride).partialValue)
    }

    /// Announces a text that is read or made.
    @inline(__always)
    func copy(bytes count: Int) throws(JQError) {
        try work(count)
        try take(count)
    }

    /// Pays for reading a number's digits, which can be many.
    @inline(__always)
    func read(_ value: Value) throws(JQError) {
        if case .literal(let number) = value, number.text.utf8.count > 64 { try work(number.text.utf8.count * 4) }
    }

    /// Whether enough was taken for the machine to check what it holds.
    var isDue: Bool { taken > limits.bytes / 8 }

    /// Reports what the machine holds, after it has checked.
    func hold(_ bytes: Int) throws(JQError) {
        if bytes > limits.bytes { throw bytesError }
        taken = 0
    }

    func depthError(_ limit: Int) -> JQError {
        JQError(
            .depth,
            message:
                "the program gave a value deeper than \(limit) levels, the limit for nested arrays and objects"
        )
    }
}

extension Meter {
    /// A regular expression, compiled once per run.
    func expression(_ pattern: String, _ options: UInt32) throws(JQError) -> Expression {
        try work(pattern.utf8.count)
        let key = "\(options) \(pattern)"
        if let known = expressions[key] { return known }
        // Compiling takes longer than a lookup.
        try step(200 + pattern.utf8.count)
        let expression = try Expression(pattern, options: options)
        if expressions.count >= 64 { expressions = [:] }
        expressions[key] = expression
        return expression
    }
}
