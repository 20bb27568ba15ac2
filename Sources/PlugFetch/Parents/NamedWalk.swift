import LosslessJSON
import PlugCore

/// Delivers the records of a stream with the names of the parts that belong to them.
struct NamedWalk: Walk {
    private var walk: any Walk
    private let plan: StreamPlan
    private let byText: Bool

    /// - Parameter byText: Whether a numeric key is named by its text.
    init(_ walk: any Walk, of plan: StreamPlan, byText: Bool) {
        self.walk = walk
        self.plan = plan
        self.byText = byText
    }

    var watermark: JSONValue? { walk.watermark }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        let step = try await walk.next(until: deadline)
        guard case .page(var page) = step else { return step }
        let globals = plan.globals(page.lineage)
        var names: [String] = []
        names.reserveCapacity(page.records.count)
        for record in page.records {
            names.append(try ParentPart.name(of: record, in: plan.stream, globals, byText: byText))
        }
        page.names = names
        return .page(page)
    }
}
