import LosslessJSON

/// Counts what a run does and holds. Used by one machine on one thread.
final class Meter {
    /// Containers that a program may put around each other in a tree that leaves the engine, as many as a document may
    /// have: whoever goes through trees by recursion is safe with both together. Inside, values may be as deep as memory
    /// allows.
    static let treeDepth = 128

    /// Steps between two looks at the task and the clock: a few milliseconds.
    static let slice = 1 << 16
    /// Bytes that are read or written for a step.
    static let stepBytes = 16

    private(set) var limits: JQLimits
    /// When the time of all runs with this meter is over.
    private let end: Duration?
    /// Steps left of this slice.
    private var steps = 0
    /// Steps left of the limit beyond it.
    private var reserve: Int
    /// When the time is over; known once the first slice is used up, for most runs end before.
    private var deadline: Duration?
    /// Compiled once, whoever runs with this meter next.
    fileprivate var expressions: [String: Expression] = [:]
    /// Why a run is over that could not be told at once.
    private var failure: JQError?
    /// Bytes taken since the last time the machine looked at what it really holds.
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

    /// Bytes that can be read or written before the steps are used up, at least.
    var affordableBytes: Int {
        let (left, isMore) = max(steps, 0).addingReportingOverflow(reserve)
        let (bytes, isMuchMore) = left.multipliedReportingOverflow(by: Self.stepBytes)
        return isMore || isMuchMore ? .max - Self.stepBytes : bytes + Self.stepBytes
    }

    /// Pays for work that is done, and looks at the task and the clock now.
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
    /// - Returns: Why there is none.
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

    /// For comparisons inside sorting, which cannot throw: afterwards `check` does.
    @inline(__always)
    func spend(_ count: Int) {
        steps &-= count
        if steps < 0, failure == nil { failure = draw() }
    }

    /// Remembers an error where none can be thrown: afterwards `check` does.
    func fail(_ error: JQError) { if failure == nil { failure = error } }

    /// Whether a run is over.
    @inline(__always)
    var isExhausted: Bool { failure != nil }

    func check() throws(JQError) {
        guard let stop = failure else { return }
        // What a program can catch is no end of it.
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

    /// Whether so much was taken that the machine should look at what it holds.
    var isDue: Bool { taken > limits.bytes / 8 }

    /// The machine has looked: it holds this much.
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
    /// A regular expression, compiled once for a run.
    func expression(_ pattern: String, _ options: UInt32) throws(JQError) -> Expression {
        try work(pattern.utf8.count)
        let key = "\(options) \(pattern)"
        if let known = expressions[key] { return known }
        // To compile takes longer than to look.
        try step(200 + pattern.utf8.count)
        let expression = try Expression(pattern, options: options)
        if expressions.count >= 64 { expressions = [:] }
        expressions[key] = expression
        return expression
    }
}
