internal import Cryptography
internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import Synchronization

/// The known keys of PDAs. A thousand are kept.
final class PDAKeys: Sendable {
    /// A key, and where it was found.
    struct Found: Sendable {
        let key: RSAPublicKey
        let origin: String
    }

    /// What is known about one PDA.
    private final class Entry: Sendable {
        struct State: Sendable {
            var found: Found?
            var foundAt: Int64 = 0
            /// When it was last asked, whatever the outcome.
            var askedAt: Int64?
            var failure: PlugError?
        }

        /// Only one task asks at a time.
        let gate = AsyncSemaphore(width: 1)
        let state = Mutex(State())

        var isKnown: Bool { state.withLock { $0.found != nil } }
    }

    private let sender: any HTTPSending
    private let policy: NetworkPolicy
    private let clock: any HostClock
    private let entries = Mutex<[String: (entry: Entry, usedAt: Int64)]>([:])
    /// A stranger can name any PDA, so the number asked at once is limited.
    private let asking = AsyncSemaphore(width: 16)

    private static let limit = 1_000
    /// In microseconds: an hour.
    private static let age: Int64 = 3_600_000_000
    /// How long a key is used if its PDA does not answer: a day.
    private static let longestAge: Int64 = 86_400_000_000
    /// Between two requests to one PDA: a minute.
    private static let pause: Int64 = 60_000_000

    init(_ sender: any HTTPSending, policy: NetworkPolicy, clock: any HostClock) {
        self.sender = sender
        self.policy = policy
        self.clock = clock
    }

    /// The key of a PDA.
    ///
    /// - Parameters:
    ///   - url: The PDA's address; its scheme is a guess.
    ///   - origin: The PDA's origin, if known.
    ///   - fits: Whether a key matches; if not, it is fetched again.
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
            // Another task may have asked meanwhile.
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

    /// A key that is recent, and matches.
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
                // Entries without a key go first: anyone can name hosts that are not PDAs.
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

    /// Asks a PDA for its key: encrypted, unless it is known not to support that, or is in a network allowed without encryption.
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

    /// Where a PDA may be, likeliest first. The transport refuses http outside the allowed networks.
    private func origins(_ url: HTTPURL) -> [String] {
        let isHere = url.host == "localhost" || url.address?.isLoopback == true
        let mayBePlain = !policy.allowedPDANetworks.isEmpty || policy.trustedPDAs.contains(url.hostAndPort)
        let schemes = isHere ? ["http", "https"] : mayBePlain ? ["https", "http"] : ["https"]
        return schemes.compactMap { url.with(scheme: $0)?.origin }
    }

    /// The errors of a server that is asked with a scheme it does not support.
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
