internal import PlugCore
internal import PlugStorage
internal import Synchronization

/// Compares what a complete pass found with what the previous one found.
///
/// Both are read row by row, the earlier one backwards. About a hundred thousand hashes of things are held in memory, and the
/// rest in files in the state folder.
final class PassComparison: Sendable {
    /// How many missing things are collected at a time.
    static let collected = 10_000

    /// Which missing things to consider.
    enum Missing {
        case any
        /// Those that the previous pass found.
        case first
        /// Those that the previous pass missed as well.
        case again
    }

    /// The number of things the previous pass found, and of those it kept although it missed them.
    struct Count {
        var found = 0
        /// How many of them are missing.
        var missing = 0
        /// How many are missing again.
        var again = 0
    }

    private struct State {
        /// The things of this pass.
        var met: FingerprintSet
        /// Whether some record of this pass is about an unknown thing, and whether its first page is there.
        var hasUnknown = false
        var hasBeginning = false
        var failure: PlugError?
    }

    private struct Search {
        /// Things already examined: a pass may have recorded one in several versions and, if interrupted, several times.
        var seen: FingerprintSet
        var count = Count()
        /// Which missing things are collected, and how many of them were met.
        var which: Missing
        var matching = 0
        var collected: [[UInt8]] = []
    }

    private let inventory: Inventory
    private let stream: StreamID
    private let pass: Int64
    private let store: any PassStore
    private let state: Mutex<State>

    /// Reads what the pass has found.
    ///
    /// - Parameter last: The row of the pass's last page, which may not be in the store yet.
    /// - Throws: `PlugError` `store-failed` (75).
    init(_ inventory: Inventory, _ stream: StreamID, pass: Int64, last: [UInt8], from store: any PassStore) async throws
    {
        (self.inventory, self.stream, self.pass, self.store) = (inventory, stream, pass, store)
        state = Mutex(State(met: FingerprintSet(.ignored, folder: store.scratchFolder)))
        note(last)
        try await store.forEachInventoryRow(of: stream, pass: pass, newestFirst: false) { [self] in note($0) }
        try check()
    }

    /// Whether everything that the pass found is known: no record is about an unknown thing, and its first page was read with
    /// this manifest.
    var isWhole: Bool { state.withLock { $0.hasBeginning && !$0.hasUnknown } }

    /// How many things there were, and how many of them are missing.
    func count() async throws -> Count { try await search(.any, after: 0, collecting: 0).count }

    /// The last known `_id`s of missing things, skipping as many as given; empty past the end.
    func missing(_ which: Missing, after count: Int, atMost limit: Int) async throws -> [[UInt8]] {
        try await search(which, after: count, collecting: limit).collected
    }

    private func note(_ row: [UInt8]) {
        state.withLock { state in
            // The disk is already full: more would only fill memory.
            guard state.failure == nil else { return }
            for entry in inventory.entries(in: row) {
                switch entry.kind {
                case .found, .deleted: state.met.insert(inventory.fingerprint(entry.thing), isMet: true)
                case .unknown: state.hasUnknown = true
                case .beginning: state.hasBeginning = true
                // From an interrupted attempt: it may still be missing, or not.
                case .kept: break
                }
            }
            guard state.met.isFull else { return }
            do throws(PlugError) { try state.met.spill() } catch { state.failure = error }
        }
    }

    private func check() throws(PlugError) {
        if let failure = state.withLock(\.failure) { throw failure }
    }

    private func search(
        _ which: Missing,
        after skipped: Int,
        collecting limit: Int
    ) async throws -> Search {
        let seen = FingerprintSet(.ignored, folder: store.scratchFolder)
        let search = Mutex(Search(seen: seen, which: which))
        try await store.forEachInventoryRow(of: stream, pass: pass - 1, newestFirst: true) { [self] row in
            state.withLock { state in
                guard state.failure == nil else { return }
                do throws(PlugError) {
                    try search.withLock { (search) throws(PlugError) in
                        try look(at: row, state.met, &search, after: skipped, collecting: limit)
                    }
                } catch { state.failure = error }
            }
        }
        try check()
        return search.withLock { $0 }
    }

    private func look(
        at row: [UInt8],
        _ met: FingerprintSet,
        _ search: inout Search,
        after skipped: Int,
        collecting limit: Int
    ) throws(PlugError) {
        var failure: PlugError?
        // A thing's last entry is its newest: rows come newest first as well.
        for entry in inventory.entries(in: row).reversed()
        where failure == nil && entry.kind != .unknown && entry.kind != .beginning {
            let fingerprint = inventory.fingerprint(entry.thing)
            do throws(PlugError) {
                guard try search.seen.find(fingerprint) == .unknown else { continue }
                search.seen.insert(fingerprint, isMet: true)
                if entry.kind == .deleted { continue }
                search.count.found += 1
                guard try met.find(fingerprint) == .unknown else { continue }
            } catch {
                failure = error
                continue
            }
            let isAgain = entry.kind == .kept
            search.count.missing += 1
            if isAgain { search.count.again += 1 }
            guard search.which == .any || (search.which == .again) == isAgain else { continue }
            search.matching += 1
            if search.matching > skipped, search.collected.count < limit {
                search.collected.append(Array(entry.identity))
            }
        }
        if let failure { throw failure }
        if search.seen.isFull { try search.seen.spill() }
    }
}
