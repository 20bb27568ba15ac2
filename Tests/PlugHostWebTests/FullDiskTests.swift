import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugHostWeb

/// Who is let in while the state cannot be written.
struct FullDiskTests {
    /// A store that reads, and writes nothing.
    private struct FullDisk: ForwardingStore {
        let store: any PlugStore

        func writing<Value: Sendable>(_ name: String, _ call: () async throws -> Value) async throws -> Value {
            throw PlugError("store-failed", exit: .tryLater, "the disk is full")
        }
    }

    @Test func aKeyOpensTheMetricsOfAHostWhoseDiskIsFull() async throws {
        let world = try await WebWorld()
        let key = try #require(try await APIKeys(world.store, clock: world.clock).add("prometheus", [.metricsRead]))
        let keys = APIKeys(FullDisk(store: world.store), clock: world.clock)
        guard case .key("prometheus", [.metricsRead])? = try await keys.visitor("Bearer \(key.reveal())") else {
            Issue.record("the key is not let in")
            return
        }
    }

    @Test func anOperatorWhoIsLoggedInSeesThePagesOfAHostWhoseDiskIsFull() async throws {
        let world = try await WebWorld()
        let browser = try await world.browser(.operator, "ada")
        world.clock.advance(.seconds(600))
        let sessions = HostSessions(FullDisk(store: world.store), clock: world.clock)
        guard case .operator("ada")? = try await sessions.visitor(browser) else {
            Issue.record("the session is not let in")
            return
        }
    }
}
