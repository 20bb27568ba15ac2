internal import PlugCore
internal import PlugStorage

/// The fingerprints in a stream's ledger, possibly millions: the newest in memory, the others sorted in files in the state
/// folder, so that memory does not grow with the number of records.
///
/// An entry remembers whether it was met in this pass. Where contents are compared, some bits of `low` are the content's hash; an
/// entry whose content was written under another `map` has zeros there, and matches any.
struct FingerprintSet {
    /// What the set knows of a record.
    enum Finding: Int, Comparable {
        case unknown
        /// Known by its identity only: its content was written under another `map`, or by another stream.
        case knownInAnyForm
        /// Known with other content, which its version says is the same.
        case knownWithOtherContent
        /// Met in this pass with other content, and not known with this one.
        case metWithOtherContent
        case knownBefore
        case metInThisPass
        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What the contents of records mean for what is known of them.
    enum Contents {
        /// Nothing: the whole fingerprint says what a record is.
        case ignored
        /// What is known with one content is known with all others, but within a pass they are told apart: streams that declare
        /// versions.
        case toldApart
        /// Another content makes another record: streams that do not declare versions.
        case decisive

        /// The bits of `low` that are the content's hash.
        var mask: UInt64 {
            switch self {
            case .ignored: 0
            case .toldApart: 0xFFFF_FFFE
            case .decisive: ~1
            }
        }
    }

    /// The entries of the page that passes the limit come on top: one of 16,000 records still fits into the same 4 MiB.
    static let defaultLimit = 9 << 14

    private let contents: Contents
    private let folder: String?
    private let limit: Int
    private var recent = FingerprintTable()
    /// Sorted files, the largest first; each is at least four times as large as the next.
    private var runs: [SortedFingerprints] = []

    /// - Parameters:
    ///   - folder: The folder for files; `nil` keeps everything in memory.
    ///   - limit: How many entries may be held in memory before they go into a file.
    init(_ contents: Contents, folder: String? = nil, limit: Int = defaultLimit) {
        self.contents = contents
        self.folder = folder
        self.limit = limit
    }

    /// The number of entries; one whose mark was set after it had gone to a file may count twice.
    var count: Int { runs.reduce(recent.count) { $0 + $1.count } }

    /// What is known of a record.
    ///
    /// - Throws: `PlugError` `store-failed` (75) if a file cannot be read.
    func find(_ fingerprint: RecordFingerprint) throws(PlugError) -> Finding {
        var search = Search(key: Self.key(fingerprint), contents: contents)
        recent.forEach(high: search.key.high) { search.note($0) }
        for run in runs where search.best != .metInThisPass {
            try run.forEach(high: search.key.high) { search.note($0) }
        }
        return search.finding
    }

    /// Looks a record up and marks it as met in this pass, with this content.
    ///
    /// - Returns: What was known before.
    /// - Throws: `PlugError` `store-failed` (75) if a file cannot be read.
    mutating func meet(_ fingerprint: RecordFingerprint) throws(PlugError) -> Finding {
        var entry = Self.key(fingerprint)
        entry.low |= 1
        var search = Search(key: entry, contents: contents)
        let place = recent.place(of: entry) { search.note($0) }
        for run in runs where search.best != .metInThisPass {
            try run.forEach(high: entry.high) { search.note($0) }
        }
        if search.finding < .metInThisPass { recent.insert(entry, at: place) }
        return search.finding
    }

    /// What the entries with one `high` say about a record.
    private struct Search {
        let key: RecordFingerprint
        let contents: Contents
        private(set) var best = Finding.unknown
        private var hasOtherContent = false

        init(key: RecordFingerprint, contents: Contents) { (self.key, self.contents) = (key, contents) }

        // A record known in any form has been met since, and has changed now.
        var finding: Finding { best == .knownInAnyForm && hasOtherContent ? .unknown : best }

        @inline(__always)
        mutating func note(_ entry: RecordFingerprint) {
            let (mask, isMet) = (contents.mask, entry.low & 1 == 1)
            let differing = (entry.low ^ key.low) & ~1
            guard differing & ~mask == 0 else { return }
            let matchesAny = mask != 0 && entry.low & mask == 0
            if differing == 0 || (isMet && matchesAny) {
                best = max(best, isMet ? .metInThisPass : .knownBefore)
            } else if isMet {
                best = max(best, .metWithOtherContent)
            } else if matchesAny {
                best = max(best, .knownInAnyForm)
            } else if contents == .toldApart {
                best = max(best, .knownWithOtherContent)
            } else {
                hasOtherContent = true
            }
        }
    }

    /// Prepares for calls of `find` with these records.
    func prefetch(_ fingerprints: [RecordFingerprint]) { recent.prefetch(fingerprints) }

    /// Adds a record of an earlier pass, or marks one as met in this pass.
    ///
    /// - Parameter inAnyForm: Whether its content says nothing.
    mutating func insert(_ fingerprint: RecordFingerprint, isMet: Bool, inAnyForm: Bool = false) {
        var entry = Self.key(fingerprint)
        if inAnyForm { entry.low &= ~contents.mask }
        entry.low = entry.low & ~1 | (isMet ? 1 : 0)
        recent.insert(entry)
    }

    /// Whether memory holds as many entries as it should, so that `spill` has something to do.
    var isFull: Bool { folder != nil && recent.count >= limit }

    /// Moves the entries in memory into a file. Waits for the disk, so do not call it on a thread that runs tasks.
    ///
    /// - Throws: `PlugError` `store-failed` (75) if the disk does not accept them.
    mutating func spill() throws(PlugError) {
        guard let folder else { return }
        var newest: SortedFingerprints?
        try recent.drainSorted { (entries) throws(PlugError) in
            newest = try SortedFingerprints(entries, in: folder)
        }
        guard var run = newest else { return }
        while let last = runs.last, last.count < 4 * run.count {
            run = try SortedFingerprints(merging: last, run, in: folder)
            runs.removeLast()
        }
        runs.append(run)
    }

    /// Zero marks an empty slot, so no key may be zero.
    @inline(__always)
    private static func key(_ fingerprint: RecordFingerprint) -> RecordFingerprint {
        RecordFingerprint(high: fingerprint.high == 0 ? 1 : fingerprint.high, low: fingerprint.low)
    }
}
