import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Selects the records for which a stream is not read.
struct ParentSelection: Sendable {
    private let program: Selector
    private let globals: RecordGlobals
    private let plan: StreamPlan
    /// Whether the program is one of the parent's own, `drop_if` or `deletes.field`.
    private let isOwn: Bool
    /// The part of an `only: changed` watermark's basis that the child does not state itself: what the parents drop.
    let basis: JSONValue?

    /// Leaves out what `skip_if` matches.
    ///
    /// - Parameters:
    ///   - globals: What the program sees besides a record.
    ///   - plan: The stream that is read for the records.
    init(_ program: JQProgram, _ globals: RecordGlobals, _ plan: StreamPlan) {
        self.program = Selector(program)
        self.globals = globals
        self.plan = plan
        isOwn = false
        basis = nil
    }

    /// The records that their own stream leaves out: those it drops, and those marked as deleted. There is nothing to read for
    /// either.
    static func all(of parent: StreamPlan) -> [ParentSelection] {
        let drops = parent.stream.dropIf.map { program in
            let config = program.usedGlobals.contains("config") ? parent.config : .null
            return ParentSelection(program, ownOf: parent, basis: [.text(program.source), config])
        }
        let deletions = parent.stream.deletion.map { ParentSelection($0, ownOf: parent, basis: nil) }
        return [drops, deletions].compactMap(\.self)
    }

    private init(_ program: JQProgram, ownOf parent: StreamPlan, basis: [JSONValue]?) {
        self.program = Selector(program)
        globals = parent.stream.recordGlobals
        plan = parent
        isOwn = true
        self.basis = basis.map { .array($0) }
    }

    /// Whether a record is left out.
    ///
    /// - Throws: `PlugError` `skip-if-failed` if the program fails on it.
    func skips(_ record: JSONView, within outer: Lineage, on page: WalkedPage) throws(PlugError) -> Bool {
        let lineage = isOwn ? page.lineage : outer.appending(page.lineage)
        let values = globals.values(parents: lineage.values, config: plan.config)
        do throws(JQError) {
            if isOwn { return try program.outputs(of: record, values).contains(where: \.isTruthy) }
            guard let output = try program.first(of: record, values) else { return false }
            return !output.isNull && output.bool != false
        } catch {
            if let interruption = error.interruption { throw interruption }
            // The parent's own stream makes it a dead letter.
            if isOwn { return false }
            throw PlugError(
                .skipIfFailed,
                "\(plan.stream.places["for_each.skip_if"]): \(page.origin): 'skip_if' fails on a record: "
                    + error.withoutValues,
                advice: "allow for members that some records lack, as in '.private? // false'",
                stream: plan.stream.name
            )
        }
    }
}

/// Leaves out records that a stream is not to be read for.
struct SelectedWalk: Walk {
    private var walk: any Walk
    private let selection: ParentSelection
    private let outer: Lineage

    /// - Parameter outer: The records these are combined with.
    init(_ walk: any Walk, _ selection: ParentSelection, within outer: Lineage) {
        self.walk = walk
        self.selection = selection
        self.outer = outer
    }

    var watermark: JSONValue? { walk.watermark }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        let step = try await walk.next(until: deadline)
        guard case .page(var page) = step else { return step }
        let (records, names) = (page.records, page.names)
        (page.records, page.names) = ([], [])
        for (record, name) in zip(records, names) where try !selection.skips(record, within: outer, on: page) {
            page.records.append(record)
            page.names.append(name)
        }
        page.cost.skippedParents += records.count - page.records.count
        return .page(page)
    }
}
