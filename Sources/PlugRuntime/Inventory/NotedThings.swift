internal import PlugCore
internal import PlugStorage
internal import Synchronization

/// What earlier runs of an open pass have written down of what it finds: a pass that begins anew in every run, because one parent's
/// records can never be read, writes it down once.
///
/// Only what was there when the run began: within one run a thing is met about once. Hashes lie in memory by the hundred thousand,
/// and in files of the state folder beyond.
struct NotedThings: Sendable {
    /// So many things are known with their last state where the pass has met several; of more, each meeting is written down.
    private static let changeLimit = 1 << 16

    private var inventory: Inventory
    private var things = FingerprintSet(comparesContent: true)
    /// The last state of things that were met in several.
    private var last: [UInt64: UInt64] = [:]
    /// Further such things, of whose last states nothing is known.
    private var changing = FingerprintSet(comparesContent: false)
    private var hasUnknown = false
    private var hasBeginning = false
    private var isEmpty = true
    private var failure: PlugError?

    /// Reads what was written down; `nil` for nothing.
    ///
    /// - Throws: `PlugError` `store-failed` (75).
    init?(_ inventory: Inventory, _ stream: StreamID, pass: Int64, from store: any PassStore) async throws {
        self.inventory = inventory
        things = FingerprintSet(comparesContent: true, folder: store.scratchFolder)
        changing = FingerprintSet(comparesContent: false, folder: store.scratchFolder)
        let loading = Mutex(self)
        try await store.forEachInventoryRow(of: stream, pass: pass, newestFirst: false) { row in
            loading.withLock { $0.load(row) }
        }
        self = loading.withLock { $0 }
        if let failure { throw failure }
        if isEmpty { return nil }
    }

    private mutating func load(_ row: [UInt8]) {
        // The disk is full already: more would only fill memory.
        guard failure == nil else { return }
        isEmpty = false
        do throws(PlugError) {
            for entry in inventory.entries(in: row) where try !has(entry) { try note(entry, isOld: true) }
            if things.isFull { try things.spill() }
            if changing.isFull { try changing.spill() }
        } catch { failure = error }
    }

    /// Whether an entry says nothing new.
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

    /// Takes in an entry that is written down.
    ///
    /// - Parameter isOld: Whether an earlier run has written it. What is new in this run counts only where it is another state of
    ///   something old.
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

    /// A hash of the thing, and of its state.
    private func mark(_ entry: Inventory.Entry) -> RecordFingerprint {
        var state = inventory.fingerprint(entry.identity).low & ~1
        if entry.kind == .deleted { state = ~state & ~1 }
        return RecordFingerprint(high: inventory.fingerprint(entry.thing).high, low: state)
    }
}
