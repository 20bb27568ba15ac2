internal import PlugCore
internal import PlugStorage
internal import Synchronization

/// What earlier runs of an open pass have recorded of its findings: a pass that restarts in every run, because one parent's
/// records can never be read, records it only once.
///
/// Only what existed when the run began: within one run a thing is met about once. About a hundred thousand hashes are held in
/// memory, and the rest in files in the state folder.
struct NotedThings: Sendable {
    /// How many things are known with their last state if the pass met several; beyond that, each meeting is recorded.
    private static let changeLimit = 1 << 16

    private var inventory: Inventory
    private var things = FingerprintSet(.decisive)
    /// The last state of things that were met in several states.
    private var last: [UInt64: UInt64] = [:]
    /// Further such things, whose last states are unknown.
    private var changing = FingerprintSet(.ignored)
    private var hasUnknown = false
    private var hasBeginning = false
    private var isEmpty = true
    private var failure: PlugError?

    /// Reads what was recorded; `nil` if there is nothing.
    ///
    /// - Throws: `PlugError` `store-failed` (75).
    init?(_ inventory: Inventory, _ stream: StreamID, pass: Int64, from store: any PassStore) async throws {
        self.inventory = inventory
        things = FingerprintSet(.decisive, folder: store.scratchFolder)
        changing = FingerprintSet(.ignored, folder: store.scratchFolder)
        let loading = Mutex(self)
        try await store.forEachInventoryRow(of: stream, pass: pass, newestFirst: false) { row in
            loading.withLock { $0.load(row) }
        }
        self = loading.withLock { $0 }
        if let failure { throw failure }
        if isEmpty { return nil }
    }

    private mutating func load(_ row: [UInt8]) {
        // The disk is already full: more would only fill memory.
        guard failure == nil else { return }
        isEmpty = false
        do throws(PlugError) {
            for entry in inventory.entries(in: row) where try !has(entry) { try note(entry, isOld: true) }
            if things.isFull { try things.spill() }
            if changing.isFull { try changing.spill() }
        } catch { failure = error }
    }

    /// Whether an entry adds nothing new.
    ///
    /// - Throws: `PlugError` `store-failed` (75) if a file cannot be read.
    func has(_ entry: Inventory.Entry) throws(PlugError) -> Bool {
        switch entry.kind {
        case .unknown: return hasUnknown
        case .beginning: return hasBeginning
        case .kept: return false
        case .found, .deleted:
            let mark = mark(entry)
            if let state = last[mark.high] { return state == mark.low }
            guard try changing.find(RecordFingerprint(high: mark.high, low: 0)) == .unknown else { return false }
            return try things.find(mark) == .metInThisPass
        }
    }

    /// Takes in an entry that has been recorded.
    ///
    /// - Parameter isOld: Whether an earlier run recorded it. An entry from this run counts only if it is another state of an old
    ///   thing.
    /// - Throws: `PlugError` `store-failed` (75) if a file cannot be read.
    mutating func note(_ entry: Inventory.Entry, isOld: Bool = false) throws(PlugError) {
        switch entry.kind {
        case .unknown: hasUnknown = true
        case .beginning: hasBeginning = true
        case .kept: break
        case .found, .deleted:
            let mark = mark(entry)
            if last[mark.high] == nil, try things.find(mark) == .unknown {
                if isOld { things.insert(mark, isMet: true) }
            } else if last[mark.high] != nil || last.count < Self.changeLimit {
                last[mark.high] = mark.low
            } else {
                changing.insert(RecordFingerprint(high: mark.high, low: 0), isMet: true)
            }
        }
    }

    /// A hash of the thing and one of its state.
    private func mark(_ entry: Inventory.Entry) -> RecordFingerprint {
        var state = inventory.fingerprint(entry.identity).low & ~1
        if entry.kind == .deleted { state = ~state & ~1 }
        return RecordFingerprint(high: inventory.fingerprint(entry.thing).high, low: state)
    }
}
