internal import Cryptography
internal import PlugCore

/// The randomness of placeholders: one key for each recording, so that a reader of a fixture cannot test guesses at what a
/// placeholder replaces.
struct PlaceholderChance: Sendable {
    private let key: SecretBytes

    /// A 256-bit key from the system's generator, or from a test clock.
    init(_ clock: any HostClock) {
        key = SecretBytes((0..<32).map { _ in UInt8(clock.random() * 256) })
    }

    /// Numbers that depend only on the key and a text. Without the key they reveal nothing about the text (HMAC-SHA256).
    func numbers(for text: String, try number: Int = 0) -> PlaceholderNumbers {
        let code = HMAC.code(for: Array("\(number) \(text)".utf8), key: key)
        return PlaceholderNumbers(state: code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
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
