internal import PlugCore
internal import PlugStorage
internal import Synchronization

/// Compares what a complete pass has found with what the one before it found.
///
/// Both are read row by row, the earlier one backwards; hashes of the things lie in memory by the hundred thousand, and in files of
/// the state folder beyond.
final class PassComparison: Sendable {
    /// How many missing things are looked for at a time.
    static let collected = 10_000

    /// Which of the missing things are meant.
    enum Missing {
        case any
        /// Those that the pass before has found.
        case first
        /// Those that the pass before has missed, too.
        case again
    }

    /// How many things the pass before has found, and has kept though it missed them.
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
        /// Whether some record of this pass is about a thing that nobody knows, and whether its first page is there.
        var hasUnknown = false
        var hasBeginning = false
        var failure: PlugError?
    }

    private struct Search {
        /// Things that were looked at: a pass may have written one down in several versions, and, interrupted, several times.
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
    /// - Parameter last: The row of its last page, which may not be in the store yet.
    /// - Throws: `PlugError` `store-failed` (75).
    init(_ inventory: Inventory, _ stream: StreamID, pass: Int64, last: [UInt8], from store: any PassStore) async throws
    {
        (self.inventory, self.stream, self.pass, self.store) = (inventory, stream, pass, store)
        state = Mutex(State(met: FingerprintSet(comparesContent: false, folder: store.scratchFolder)))
        note(last)
        try await store.forEachInventoryRow(of: stream, pass: pass, newestFirst: false) { [self] in note($0) }
        try check()
    }

    /// Whether all that the pass has found is known: no record is about a thing that nobody knows, and its first page was read with
    /// this manifest.
    var isWhole: Bool { state.withLock { $0.hasBeginning && !$0.hasUnknown } }

    /// How many things there were, and how many of them are missing.
    func count() async throws -> Count { try await search(.any, after: 0, collecting: 0).count }

    /// The `_id`s that were known last of missing things, the first after so many; empty behind the last.
    func missing(_ which: Missing, after count: Int, atMost limit: Int) async throws -> [[UInt8]] {
        try await search(which, after: count, collecting: limit).collected
    }

    private func note(_ row: [UInt8]) {
        state.withLock { state in
            // The disk is full already: more would only fill memory.
            guard state.failure == nil else { return }
            for entry in inventory.entries(in: row) {
                switch entry.kind {
                case .found, .deleted: state.met.insert(inventory.fingerprint(entry.thing), isMet: true)
                case .unknown: state.hasUnknown = true
                case .beginning: state.hasBeginning = true
                // Of an attempt that was interrupted: it is missing still, or not.
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
        let seen = FingerprintSet(comparesContent: false, folder: store.scratchFolder)
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
        // The last entry of a thing is the newest: rows come newest first, too.
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
