import PlugCore
import Synchronization

/// Signs requests: each try anew, after everything else is in its place.
protocol RequestSigning: Sendable {
    /// What no message may show.
    var hidden: [String] { get }
    /// The parameters of the query that it adds.
    var queryNames: [String] { get }

    /// Puts a signature into a request.
    func sign(_ request: inout OutgoingRequest, _ occasion: SigningOccasion) throws(PlugError)
}

/// What a signature takes from outside: time, chance, and who keeps it secret.
struct SigningOccasion: Sendable {
    let clock: any HostClock
    let nonces: Nonces
    let redactor: Redactor
    /// The token of the run, where there is one.
    var token: TokenKeeper.Token?

    /// 26 hexadecimal digits that are different each time. They need not be unpredictable: who could use them has to have
    /// the key.
    func random() -> String {
        // A random number has 53 bits; 52 of them are 13 digits.
        (0..<2).map { _ in
            let bits = UInt64(clock.random() * 0x1p52)
            return Hexadecimal.encoded((0..<7).reversed().map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
                .dropFirst()
        }.joined()
    }
}

/// Numbers of which each is larger than all before it, as some services want them: microseconds since 1970, or a little later.
final class Nonces: Sendable {
    private let last = Mutex<Int64>(0)

    /// The next one.
    func next(at now: Int64) -> Int64 {
        last.withLock { last in
            last = max(last + 1, now)
            return last
        }
    }
}
