import LosslessJSON
import PlugCore

/// Detects that a chain of tokens has come back to an earlier one, with a single token in memory (R. P. Brent, "An improved Monte
/// Carlo factorization algorithm", 1980): so a cycle is found even if it is longer than a run.
struct LoopAnchor: Sendable, Equatable {
    private var token: UInt64?
    /// How many tokens came since the anchor was set, and at how many it is next moved.
    private var steps: Int64 = 0
    private var power: Int64 = 1

    init() {}

    /// Adds the next token.
    ///
    /// - Returns: `false` if it is the anchor.
    mutating func pass(_ next: UInt64) -> Bool {
        if token == next, steps > 0 { return false }
        if token == nil || steps == power {
            // The place that a run continues from is added again: it is not a step.
            if token != nil { power = power < .max / 2 ? power * 2 : power }
            token = next
            steps = 0
        }
        steps += 1
        return true
    }

    // MARK: - In a state

    /// `["00f3…", steps, power]`, `nil` if there is no token yet.
    var json: JSONValue? {
        token.map { token in
            let text = Hexadecimal.encoded(withUnsafeBytes(of: token.bigEndian, Array.init))
            return .array([.text(text), .integer(Int(steps)), .integer(Int(power))])
        }
    }

    /// Reads what `json` wrote; anything else is not an anchor.
    init(_ json: JSONValue?) {
        guard let parts = json?.elements, parts.count == 3, let text = parts[0].stringText,
            let token = UInt64(text, radix: 16), let steps = parts[1].number?.int64, steps > 0,
            let power = parts[2].number?.int64, power > 0
        else { return }
        (self.token, self.steps, self.power) = (token, steps, power)
    }
}
