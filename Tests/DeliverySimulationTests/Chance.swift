import Synchronization

/// Chance that a seed determines (SplitMix64).
struct Chance: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number in the range.
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Whether something happens that happens `count` times in a thousand.
    mutating func happens(_ count: Int, in whole: Int = 1000) -> Bool { number(1...whole) <= count }

    /// One of these.
    mutating func one<Value>(of first: Value, _ others: Value...) -> Value {
        let index = number(0...others.count)
        return index == 0 ? first : others[index - 1]
    }
}

/// Chance for many to draw from.
final class SharedChance: Sendable {
    private let chance: Mutex<Chance>
    init(_ seed: UInt64) { chance = Mutex(Chance(seed)) }
    func draw<Value: Sendable>(_ body: @Sendable (inout Chance) -> Value) -> Value {
        chance.withLock { body(&$0) }
    }
}
