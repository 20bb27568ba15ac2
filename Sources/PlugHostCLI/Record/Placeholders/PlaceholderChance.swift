internal import PlugCore

/// The chance that placeholders are made by: one key for each recording, so that nobody who reads a fixture can try out what a
/// placeholder may stand for.
struct PlaceholderChance: Sendable {
    private let key: (UInt64, UInt64)

    /// A key from the system's generator, or from a clock of tests.
    init(_ clock: any HostClock) {
        func word() -> UInt64 { UInt64(clock.random() * 4_294_967_296) << 32 | UInt64(clock.random() * 4_294_967_296) }
        key = (word(), word())
    }

    /// Numbers that depend on the key and on a text alone.
    func numbers(for text: String, try number: Int = 0) -> PlaceholderNumbers {
        var hash = key.0 ^ 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            hash = (hash ^ (hash >> 29)) &+ key.1
        }
        return PlaceholderNumbers(state: hash &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
    }
}

/// SplitMix64.
struct PlaceholderNumbers: RandomNumberGenerator {
    fileprivate var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
