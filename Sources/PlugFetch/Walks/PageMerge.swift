import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Merges the pages of many small children, so that a thousand details do not cost a thousand deliveries.
///
/// Only if no program of the stream uses the parent, as a page has just one. The same applies to the entries of an archive, which
/// may be many and small.
struct PageMerge: Sendable {
    private static let recordLimit = 500
    private static let byteLimit = 1 << 20

    private var pages: [WalkedPage] = []
    private var records = 0
    private var bytes = 0

    /// Whether pages of a stream may be merged.
    static func suits(_ stream: PlugManifest.Stream) -> Bool {
        // Counts apply to a single answer.
        guard stream.parent != nil || stream.archive != nil, !stream.options.countsEqual else { return false }
        let names = Set(stream.recordGlobals.ofParents).union([RecordGlobals.entry])
        return stream.recordPrograms.allSatisfy { $0.usedGlobals.isDisjoint(with: names.union(["since", "until"])) }
    }

    /// Adds a page.
    mutating func add(_ page: WalkedPage) {
        pages.append(page)
        records += page.given
        bytes += page.size
    }

    /// Whether it holds enough for one delivery.
    var isFull: Bool { records >= Self.recordLimit || bytes >= Self.byteLimit || pages.count >= 64 }

    /// All pages as one, with the records in one buffer; `nil` if there are none.
    func merged() throws(PlugError) -> WalkedPage? {
        guard var page = pages.first, let last = pages.last else { return nil }
        guard pages.count > 1 else { return page }
        page.following = last.following
        if pages.contains(where: { $0.weight != nil }) {
            page.weight = pages.reduce(0) { $0 + $1.size }
        }
        page.leavingOut = last.leavingOut
        page.lineage = Lineage()
        if pages.contains(where: { $0.entry != page.entry }) { page.entry = nil }
        page.validator = last.validator
        page.isOfSeveralAnswers = pages.dropFirst().contains { $0.preceding == 0 }
        for other in pages.dropFirst() {
            page.cost += other.cost
            page.parts.merge(other.parts) { $1 }
            page.provedParts.formUnion(other.provedParts)
            page.groups += other.groups
            page.broken += other.broken
        }
        let filled = pages.filter { !$0.records.isEmpty }
        if let first = filled.first { page.origin = first.origin }
        if filled.count > 1 {
            page.origin += " and \(filled.count - 1) more"
            page.records = try JSONViews.together(filled.flatMap(\.records))
        } else {
            page.records = filled.first?.records ?? []
        }
        return page
    }
}
