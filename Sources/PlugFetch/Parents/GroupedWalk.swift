import LosslessJSON
import PlugCore

/// Groups records, so that one request serves many of them.
struct GroupedWalk: Walk {
    /// Pages are collected until this many groups are full, so that few groups are small.
    private static let groups = 4
    private static let byteLimit = 4 << 20
    private static let pageLimit = 20

    private var walk: any Walk
    private let size: Int
    /// The error that came instead of a page, after others that could still be delivered.
    private var failure: (any Error)?

    init(_ walk: any Walk, by size: Int) {
        self.walk = walk
        self.size = size
    }

    var watermark: JSONValue? { walk.watermark }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        if let failure { throw failure }
        guard var page = try await walk.next() else { return .end }
        var pages = 1
        while let following = page.following, !following.isNull, page.records.count < size * Self.groups,
            page.cost.bytes < Self.byteLimit, pages < Self.pageLimit
        {
            pages += 1
            do {
                guard let more = try await walk.next() else { break }
                page.records += more.records
                page.names += more.names
                page.proofs += more.proofs
                page.listed = [page.listed, more.listed].compactMap(\.self).max()
                page.following = more.following
                page.cost += more.cost
            } catch {
                if page.records.isEmpty { throw error }
                failure = error
                break
            }
        }
        let names = page.names
        page.records = try JSONViews.inGroups(of: size, page.records)
        page.names = page.records.indices.map {
            ParentPart.name(of: Array(names[($0 * size)..<min(($0 + 1) * size, names.count)]))
        }
        // Each of them may have parents of its own.
        (page.lineage, page.path) = (Lineage(), "")
        return .page(page)
    }
}
