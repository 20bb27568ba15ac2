import PlugCore
import Synchronization

/// Signs requests: each attempt separately, after everything else is in place.
protocol RequestSigning: Sendable {
    /// What no message may show.
    var hidden: [String] { get }
    /// The query parameters that it adds.
    var queryNames: [String] { get }

    /// Adds a signature to a request.
    func sign(_ request: inout OutgoingRequest, _ occasion: SigningOccasion) throws(PlugError)
}

/// External inputs of a signature: time, randomness, and the redactor.
struct SigningOccasion: Sendable {
    let clock: any HostClock
    let nonces: Nonces
    let redactor: Redactor
    /// The token of the run, if there is one.
    var token: TokenKeeper.Token?

    /// 26 hexadecimal digits that are different each time. They need not be unpredictable: exploiting them takes the key.
    func random() -> String {
        // A random number has 53 bits; 52 of them are 13 digits.
        (0..<2).map { _ in
            let bits = UInt64(clock.random() * 0x1p52)
            return Hexadecimal.encoded((0..<7).reversed().map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
                .dropFirst()
        }.joined()
    }
}

/// Strictly increasing numbers, as some services require: microseconds since 1970, or slightly later.
final class Nonces: Sendable {
    private let last = Mutex<Int64>(0)

    /// The next nonce.
    func next(at now: Int64) -> Int64 {
        last.withLock { last in
            last = max(last + 1, now)
            return last
        }
    }
}
