internal import Cryptography
internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import Synchronization

/// The keys of PDAs, as far as they are known. A thousand are remembered.
final class PDAKeys: Sendable {
    /// A key, and where it was found.
    struct Found: Sendable {
        let key: RSAPublicKey
        let origin: String
    }

    /// What is known of one PDA.
    private final class Entry: Sendable {
        struct State: Sendable {
            var found: Found?
            var foundAt: Int64 = 0
            /// When it was asked last, whatever came of it.
            var askedAt: Int64?
            var failure: PlugError?
        }

        /// Only one asks.
        let gate = AsyncSemaphore(width: 1)
        let state = Mutex(State())

        var isKnown: Bool { state.withLock { $0.found != nil } }
    }

    private let sender: any HTTPSending
    private let policy: NetworkPolicy
    private let clock: any HostClock
    private let entries = Mutex<[String: (entry: Entry, usedAt: Int64)]>([:])
    /// A stranger can name any PDA: not too many are asked at once.
    private let asking = AsyncSemaphore(width: 16)

    private static let limit = 1_000
    /// In microseconds: an hour.
    private static let age: Int64 = 3_600_000_000
    /// A key serves so long where its PDA does not answer: a day.
    private static let longestAge: Int64 = 86_400_000_000
    /// Between two questions to one PDA: a minute.
    private static let pause: Int64 = 60_000_000

    init(_ sender: any HTTPSending, policy: NetworkPolicy, clock: any HostClock) {
        self.sender = sender
        self.policy = policy
        self.clock = clock
    }

    /// The key of a PDA.
    ///
    /// - Parameters:
    ///   - url: Where the PDA is; its scheme is a guess.
    ///   - origin: The PDA's origin, where it is known.
    ///   - fits: Whether a key does; where it does not, it is asked for again.
    /// - Throws: `PlugError` `pda-key-…`; `CancellationError`.
    func key(
        of url: HTTPURL,
        knownAs origin: String?,
        fitting fits: (RSAPublicKey) -> Bool,
        within limit: Duration
    ) async throws -> Found {
        let name = origin ?? "\(url.host):\(url.port)"
        let entry = entry(name)
        if let found = usable(entry, fits) { return found }
        return try await entry.gate.pass {
            // Somebody else may have asked meanwhile.
            if let found = usable(entry, fits) { return found }
            let now = clock.now()
            let known = entry.state.withLock { $0 }
            if let askedAt = known.askedAt, (0..<Self.pause).contains(now - askedAt) {
                if let found = known.found { return found }
                throw (known.failure ?? Self.failure(url, "was asked a moment ago"))
                    .retrying(at: askedAt + Self.pause)
            }
            do {
                let found = try await asking.pass { try await ask(url, origin, within: limit) }
                entry.state.withLock { $0 = Entry.State(found: found, foundAt: clock.now(), askedAt: now) }
                return found
            } catch let error as PlugError {
                entry.state.withLock { ($0.askedAt, $0.failure) = (now, error) }
                if let found = known.found, (0..<Self.longestAge).contains(now - known.foundAt) { return found }
                throw error
            }
        }
    }

    /// A key that is young, and fits.
    private func usable(_ entry: Entry, _ fits: (RSAPublicKey) -> Bool) -> Found? {
        let known = entry.state.withLock { $0 }
        guard let found = known.found, (0..<Self.age).contains(clock.now() - known.foundAt), fits(found.key) else {
            return nil
        }
        return found
    }

    private func entry(_ name: String) -> Entry {
        let now = clock.now()
        return entries.withLock { entries in
            let entry = entries[name]?.entry ?? Entry()
            if entries[name] == nil, entries.count >= Self.limit {
                // Those of no PDA go first: anybody can name what is none.
                let oldest = entries.min { first, second in
                    let (isKnown, isOtherKnown) = (first.value.entry.isKnown, second.value.entry.isKnown)
                    return isKnown == isOtherKnown ? first.value.usedAt < second.value.usedAt : !isKnown
                }
                if let oldest { entries[oldest.key] = nil }
            }
            entries[name] = (entry, now)
            return entry
        }
    }

    // MARK: - Asking

    /// Asks a PDA for its key, with encryption unless it is known to have none, or is in a network that was allowed without.
    private func ask(_ url: HTTPURL, _ origin: String?, within limit: Duration) async throws -> Found {
        let tries = origin.map { [$0] } ?? origins(url)
        var failure = Self.failure(url, "has no address")
        for (index, origin) in tries.enumerated() {
            var request = HTTPRequest(
                url: origin + PDARoute.publicKey,
                headers: [HTTPHeader("Accept", "text/plain")],
                side: .pda,
                timeouts: HTTPTimeouts(connect: min(.seconds(5), limit), firstByte: limit, idle: limit, total: limit),
                bodyLimit: 16 << 10,
                wireLimit: 16 << 10
            )
            request.isTrial = true
            let response: HTTPResponse
            do throws(HTTPError) { response = try await sender.send(request) } catch {
                if error.code == .cancelled { throw CancellationError() }
                failure = Self.failure(url, error)
                if index + 1 < tries.count, Self.mayNotBeTheScheme.contains(error.code) { continue }
                throw failure
            }
            guard response.status == 200 else { throw Self.failure(url, "answered with status \(response.status)") }
            let text = response.body.withBytes { String(decoding: $0, as: UTF8.self) }
            guard let key = RSAPublicKey(pem: text) else {
                throw Self.failure(url, "answered with something that is not an RSA key of 2048 bits or more")
            }
            return Found(key: key, origin: origin)
        }
        throw failure
    }

    /// Where a PDA may be, the likeliest first. The transport refuses http outside of what was allowed.
    private func origins(_ url: HTTPURL) -> [String] {
        let isHere = url.host == "localhost" || url.address?.isLoopback == true
        let mayBePlain = !policy.allowedPDANetworks.isEmpty || policy.trustedPDAs.contains(url.hostAndPort)
        let schemes = isHere ? ["http", "https"] : mayBePlain ? ["https", "http"] : ["https"]
        return schemes.compactMap { url.with(scheme: $0)?.origin }
    }

    /// What happens where a server is asked with a scheme that it does not have.
    private static let mayNotBeTheScheme: Set<HTTPError.Code> = [
        .cannotConnect, .tls, .connectionLost, .badResponse, .timedOut, .schemeRefused, .truncated,
    ]

    private static func failure(_ url: HTTPURL, _ error: HTTPError) -> PlugError {
        if [.addressRefused, .metadataRefused, .schemeRefused].contains(error.code) {
            return PlugError(
                .pdaKeyRefused,
                "the token's PDA cannot be asked for its key: \(error.message)",
                advice: "if this is intended, allow it with --allow-network pda=CIDR"
            )
        }
        return PlugError(
            .pdaKeyUnavailable,
            "the token's PDA did not return its key: \(error.message)",
            advice: "check that the PDA is up and its name is right, and try again in a minute"
        )
    }

    private static func failure(_ url: HTTPURL, _ problem: String) -> PlugError {
        PlugError(
            .pdaKeyUnavailable,
            "\(DisplayText.escaped(url.host)) \(problem) when it was asked for the key of its tokens (/publickey)",
            advice: "check that the PDA is up and its name is right, and try again in a minute"
        )
    }
}
