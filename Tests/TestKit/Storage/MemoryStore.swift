package import PlugCore
internal import PlugStorage
internal import Synchronization

/// A store that ends with its owner. It keeps the contract, except that nothing lasts.
package actor MemoryStore: PlugStore {
    struct Stream {
        var pass: Int64 = 1
        var states: [String: StreamState] = [:]
        /// The last pass in which each part was met.
        var met: [String: Int64] = [:]
        var ledger: [(pass: Int64, packed: [UInt8])] = []
        var inventory: [(pass: Int64, bytes: [UInt8])] = []
        var refusals: [RecordFingerprint: Int] = [:]
        var profile: StreamProfile?
    }

    let clock: any HostClock
    var known: [ConnectionID: Connection] = [:]
    var streams: [StreamID: Stream] = [:]
    var letters: [StoredDeadLetter] = []
    var batches: [StoredOutboxBatch] = []
    var tokens: [ConnectionID: KeptToken] = [:]
    var grants: [GrantID: StoredGrant] = [:]
    var setups: [ConnectionID: KeptSetup] = [:]
    var changes: [ConnectionID: [AuditEntry]] = [:]
    /// Whose set-up was changed, one after another.
    var changeLog: [ConnectionID] = []
    var consents: [KeptConsent] = []
    var allRuns: [StoredRun] = []
    /// What is summed up.
    var ended: [EndedMemoryRun] = []
    var sessions: [[UInt8]: StoredSession] = [:]
    var keys: [String: StoredAPIKey] = [:]
    var links: [[UInt8]: OneTimeLink] = [:]
    var hostChanges: [AuditEntry] = []
    var notes: [String: ServerNote] = [:]
    let leased = LeasedNames()
    let renewing = LeasedNames()
    /// When grants are renewed though no run needs them.
    var renewals: [GrantID: (at: Int64, tries: Int)] = [:]
    private var lastID: Int64 = 0

    /// An empty store.
    package init(clock: any HostClock = SystemClock()) { self.clock = clock }

    func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    func require(_ id: ConnectionID) throws {
        guard known[id] != nil else { throw StoreErrors.connectionUnknown(id) }
    }
}

/// The connections that somebody has leased.
final class LeasedNames: Sendable {
    private let names = Mutex<Set<ConnectionID>>([])

    /// Whether somebody has it.
    func has(_ connection: ConnectionID) -> Bool { names.withLock { $0.contains(connection) } }

    /// The lease, `nil` where somebody has it.
    func lease(_ connection: ConnectionID) -> ConnectionLease? {
        guard names.withLock({ $0.insert(connection).inserted }) else { return nil }
        return ConnectionLease { self.names.withLock { _ = $0.remove(connection) } }
    }
}
