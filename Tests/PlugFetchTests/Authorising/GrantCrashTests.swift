import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugStorage
import Synchronization
import TestKit
import Testing

/// Processes die before and after each effect of a renewal: each request, each write.
struct GrantCrashTests {
    /// When a process dies.
    enum Moment: CaseIterable, Sendable {
        /// The effect does not happen.
        case before
        /// It happens, and nobody hears of it.
        case after
        /// A request is on its way, and arrives when the process is dead.
        case later
    }

    /// One process, which dies at its n-th effect.
    final class Life: Sendable {
        private let state = Mutex((count: 0, isDead: false))
        private let effect: Int
        let moment: Moment

        init(diesAt effect: Int, _ moment: Moment) { (self.effect, self.moment) = (effect, moment) }

        var isDead: Bool { state.withLock { $0.isDead } }
        func die() { state.withLock { $0.isDead = true } }

        /// Whether the next effect is the last one.
        func isLast() -> Bool {
            state.withLock { state in
                state.count += 1
                return state.count == effect
            }
        }
    }

    private static let dead = PlugError("store-failed", exit: .tryLater, "the process is dead")

    struct MortalStore: ForwardingStore {
        let store: any PlugStore
        let life: Life

        func writing<Value: Sendable>(_ name: String, _ call: () async throws -> Value) async throws -> Value {
            if life.isDead { throw dead }
            let isLast = life.isLast()
            if isLast, life.moment != .after {
                life.die()
                throw dead
            }
            let value = try await call()
            if isLast {
                life.die()
                throw dead
            }
            return value
        }
        func reading<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
            if life.isDead { throw dead }
            return try await call()
        }
    }

    final class MortalWire: HTTPSending {
        private static let lost = HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        private let wire: ServiceWire
        private let life: Life
        private let late = Mutex<HTTPRequest?>(nil)

        init(_ wire: ServiceWire, _ life: Life) { (self.wire, self.life) = (wire, life) }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            if life.isDead { throw Self.lost }
            guard life.isLast() else { return try await wire.send(request) }
            life.die()
            if life.moment == .after { _ = try await wire.send(request) }
            if life.moment == .later { late.withLock { $0 = request } }
            throw Self.lost
        }

        /// What was on its way arrives.
        func land() async { if let request = late.withLock({ $0 }) { _ = try? await wire.send(request) } }
    }

    @Test(arguments: [(true, true), (true, false), (false, false)])
    func theConnectionWorksOrTheServiceMadeThatImpossible(rotates: Bool, revokes: Bool) async throws {
        var service = OAuthService()
        (service.rotates, service.revokesWhenReused) = (rotates, revokes)
        var ends: [String: Int] = [:]
        for effect in 1... {
            var hasDied = false
            for moment in Moment.allCases {
                let bench = try await GrantBench(GrantBench.consent, service)
                try await bench.connect()
                let first = try await bench.kept()["refresh_token"]
                bench.bench.clock.advance(.seconds(3600))
                let life = Life(diesAt: effect, moment)
                let wire = MortalWire(bench.wire, life)
                var mortal = bench.bench
                mortal.options.grants = MortalStore(store: bench.store, life: life)
                _ = try await mortal.read(from: wire)
                hasDied = hasDied || life.isDead
                await wire.land()
                // The service has used the refresh token up, and nobody has what it gave in its place.
                let isLost = rotates && bench.wire.tokenRequests > 0
                let isForgotten = try await bench.kept()["refresh_token"] == first
                let reading = try await bench.read()
                if isLost, isForgotten {
                    #expect(reading.error?.code == "connect-again", "effect \(effect) \(moment)")
                } else {
                    #expect(reading.ids == [1, 2], "effect \(effect) \(moment): \(reading.error as Any)")
                }
                ends[reading.error?.code.text ?? "works", default: 0] += 1
                // Whatever it was, a new consent is all that it takes.
                try await bench.connect()
                #expect(try await bench.read().ids == [1, 2])
            }
            if !hasDied { break }
        }
        // Mark, request, new grant, page: four effects with three deaths each; and three lives that no death comes to.
        #expect(ends == (rotates ? ["works": 11, "connect-again": 4] : ["works": 15]))
    }
}
