import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Delivers the records nested in a parent's record, as one page. Nothing is requested for them.
struct EmbeddedWalk: Walk {
    private let plan: StreamPlan
    private let lineage: Lineage
    private var isOver = false

    /// - Parameter lineage: The record that contains them, and its ancestors.
    init(_ plan: StreamPlan, in lineage: Lineage) {
        self.plan = plan
        self.lineage = lineage
    }

    var watermark: JSONValue? { nil }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        guard !isOver, let parent = lineage.parent else { return .end }
        isOver = true
        let origin = "a record of '\(plan.stream.parent?.streams.first ?? "")'"
        var page = WalkedPage(
            records: try records(inside: parent, origin),
            lineage: lineage,
            mark: .members(("inside", .bool(true))),
            following: nil,
            cost: FetchedPage.Cost(),
            origin: origin
        )
        page.weight = page.records.reduce(0) { $0 + $1.slice.count }
        return .page(page)
    }

    private func records(inside parent: JSONView, _ origin: String) throws(PlugError) -> [JSONView] {
        let place = plan.stream.places["for_each.inside"]
        let source = plan.stream.records.source
        let limits = PageLimits(plan.exchange.settings.answers.page)
        let records: [JSONView]
        do throws(RecordSelection.Failure) {
            records = try plan.records.records(of: parent, plan.globals(lineage))
        } catch {
            switch error {
            case .interrupted: throw .interrupted
            case .noMemory: throw .memoryShort(origin)
            case .missing:
                throw PlugError(
                    .recordsMissing,
                    "\(place): \(origin) has no records inside: 'inside' (\(source)) gives null or nothing",
                    advice: "if records may be without, write 'inside: \(source.orEmptyList)'",
                    reach: .item
                )
            case .failed(let reason):
                throw PlugError(
                    .recordsFailed,
                    "\(place): 'inside' (\(source)) failed on \(origin): \(reason)",
                    advice: "try it with: plughost jq '\(source)' FILE",
                    reach: .item
                )
            }
        }
        if records.count > limits.records { throw limits.tooManyRecords(origin) }
        return records
    }
}
