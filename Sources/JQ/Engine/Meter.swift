/// Counts what a run does and holds. Used by one machine on one thread.
final class Meter {
    /// Containers the engine may put around each other; recursion over values is bounded by it.
    static let depthLimit = 1_000

    /// Steps between two looks at the task: tens of milliseconds.
    private static let slice = 1 << 16

    private(set) var limits: JQLimits
    /// Steps left of this slice.
    private var steps = 0
    /// Steps left of the limit beyond it.
    private var reserve: Int
    /// Compiled once, whoever runs with this meter next.
    fileprivate var expressions: [String: Expression] = [:]
    private(set) var isExhausted = false
    /// Bytes taken since the last time the machine looked at what it really holds.
    private(set) var taken = 0

    init(_ limits: JQLimits) {
        self.limits = limits
        reserve = limits.steps
    }

    /// Starts anew, for another run.
    func begin(_ limits: JQLimits) {
        self.limits = limits
        steps = 0
        reserve = limits.steps
        isExhausted = false
        taken = 0
    }

    @inline(__always)
    func step(_ count: Int = 1) throws(JQError) {
        steps -= count
        if steps < 0 { try refill() }
    }

    private func refill() throws(JQError) {
        if limits.stopsWhenCancelled, Task.isCancelled {
            throw JQError(.cancelled, message: "the program was interrupted")
        }
        guard draw() else { throw stepsError }
    }

    /// Begins another slice.
    ///
    /// - Returns: Whether the limit allows what has been taken already.
    private func draw() -> Bool {
        guard reserve >= -steps else { return false }
        let drawn = min(reserve, Self.slice - steps)
        reserve -= drawn
        steps += drawn
        return true
    }

    /// For comparisons inside sorting, which cannot throw: afterwards `check` does.
    @inline(__always)
    func spend(_ count: Int) {
        steps -= count
        if steps < 0, !draw() { isExhausted = true }
    }

    func check() throws(JQError) { if isExhausted { throw stepsError } }

    private var stepsError: JQError { JQError(.steps, message: "the program did more than \(limits.steps) steps") }
    var bytesError: JQError { JQError(.bytes, message: "the program held more than \(limits.bytes) bytes") }

    /// Announces memory before it is taken.
    @inline(__always)
    func take(_ bytes: Int) throws(JQError) {
        let (sum, overflow) = taken.addingReportingOverflow(bytes)
        if overflow || bytes > limits.bytes || sum > 2 * limits.bytes { throw bytesError }
        taken = sum
    }

    /// Whether so much was taken that the machine should look at what it holds.
    var isDue: Bool { taken > limits.bytes / 8 }

    /// The machine has looked: it holds this much.
    func hold(_ bytes: Int) throws(JQError) {
        if bytes > limits.bytes { throw bytesError }
        taken = 0
    }

    func nest(_ value: Value) throws(JQError) {
        if value.depth > Self.depthLimit {
            throw JQError(.depth, message: "a value is nested deeper than \(Self.depthLimit) levels")
        }
    }
}

extension Meter {
    /// A regular expression, compiled once for a run.
    func expression(_ pattern: String, _ options: UInt32) throws(JQError) -> Expression {
        let key = "\(options) \(pattern)"
        if let known = expressions[key] { return known }
        let expression = try Expression(pattern, options: options)
        if expressions.count >= 64 { expressions = [:] }
        expressions[key] = expression
        return expression
    }
}
