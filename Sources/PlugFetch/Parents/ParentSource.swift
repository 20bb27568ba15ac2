import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// The source of the records that a stream is read for, ready to be walked.
indirect enum ParentSource: Sendable {
    /// The records of a stream, and that stream's own parents.
    case stream(StreamPlan, ParentSource?)
    case list(ParentList)
    /// The records of several, each once.
    case union([ParentSource])
    /// Every combination of two, the second varying faster.
    case product(ParentSource, ParentSource)
    /// Those that a program does not leave out.
    case selected(ParentSource, ParentSelection)
    /// Groups of the given size.
    case grouped(ParentSource, Int)

    /// How its pages are read.
    struct Reading: Sendable {
        /// The stream for which all of this is read.
        let reader: String
        /// The stream that is read for them.
        var child: StreamPlan
        /// The user's `--since`, if it applies to the parents.
        var since: String?
        /// Whether pages that shift start one page before the place in the state.
        var goesBack: Bool
        /// Where children are prefetched.
        var scope: FetchScope
        /// The watermarks from which these are read; `nil` if all are read.
        var changed: ChangedParents?
        /// The records that these are combined with.
        var outer = Lineage()
        /// Whether a number and the same number as text are one record, because they come from different sources.
        var namesByText = false

        /// The same, for records combined with these.
        func within(_ outer: Lineage) -> Reading {
            var reading = self
            reading.outer = outer
            return reading
        }

        /// The same, starting from another page.
        func goingBack(_ goesBack: Bool) -> Reading {
            var reading = self
            reading.goesBack = goesBack
            return reading
        }
    }

    /// A walk through its pages, each record with the name of its part.
    ///
    /// - Parameter start: Where it begins. Composite walks keep their places in its `pass`.
    func walk(from start: PartState, _ reading: Reading) throws(PlugError) -> any Walk {
        switch self {
        case .stream(let plan, nil):
            let given = try plan.given(reading.since)
            let walk = try plan.walk(for: reading.reader, saved: start, given: given, goesBack: reading.goesBack)
            return NamedWalk(walk, of: plan, byText: reading.namesByText)
        case .stream(let plan, let parents?):
            let walk = try ChildWalk(plan, of: parents, from: start, states: nil, reading)
            return NamedWalk(walk, of: plan, byText: reading.namesByText)
        case .list(let list): return ListWalk(list, byText: reading.namesByText)
        case .union(let sources): return try UnionWalk(sources, from: start.pass, reading)
        case .product(let outer, let inner): return try ChildWalk(combining: outer, inner, from: start, reading)
        case .selected(let source, let selection):
            return SelectedWalk(try source.walk(from: start, reading), selection, within: reading.outer)
        case .grouped(let source, let size): return GroupedWalk(try source.walk(from: start, reading), by: size)
        }
    }

    /// What watermarks of `only: changed` are proved for, in this stream and in those above with the same setting.
    ///
    /// - Parameter plan: The stream that is read for these.
    func basis(of plan: StreamPlan) -> String {
        var all = [plan.parentsBasis ?? ""]
        var source = self
        while true {
            switch source {
            case .selected(let inner, let selection):
                if let basis = selection.basis { all.append(ParentPart.name(of: basis)) }
                source = inner
            case .grouped(let inner, _): source = inner
            case .stream(let above, let parents?) where above.readsChangedOnly:
                all.append(above.parentsBasis ?? "")
                source = parents
            case .stream, .list, .union, .product: return all.count == 1 ? all[0] : ParentPart.name(of: all)
            }
        }
    }

    /// How many combinations it yields, if only lists determine that.
    private var count: Int? {
        switch self {
        case .list(let list): list.elements.count
        case .selected(let source, _): source.count
        case .product(let outer, let inner):
            outer.count.flatMap { outer in
                inner.count.map { outer.multipliedReportingOverflow(by: $0).overflow ? .max : outer * $0 }
            }
        case .union(let sources):
            sources.reduce(0) { sum, source in
                sum.flatMap { sum in source.count.map { sum.addingReportingOverflow($0).overflow ? .max : sum + $0 } }
            }
        case .grouped(let source, let size): source.count.map { $0 / size + min(1, $0 % size) }
        case .stream: nil
        }
    }
}

extension ParentSource {
    /// The most combinations of lists.
    private static let combinationLimit = 1_000_000

    /// The parents of a stream; `nil` for one that is read once.
    ///
    /// - Throws: `PlugError` if the template of a list yields something else.
    init?(of stream: PlugManifest.Stream, _ plans: [String: StreamPlan]) throws(PlugError) {
        guard let parents = stream.parent, let plan = plans[stream.name] else { return nil }
        var all: ParentSource?
        for level in parents.levels {
            let next = try Self.source(level, plan, plans)
            all = all.map { .product($0, next) } ?? next
        }
        guard let all else { return nil }
        self = all
        guard case .product = all, let count, count > Self.combinationLimit else { return }
        throw PlugError(
            .forEachList,
            "\(stream.places["for_each"]): 'for_each' gives \(count) combinations; at most \(Self.combinationLimit) are read",
            advice: "make one of its lists shorter",
            stream: stream.name
        )
    }

    private static func source(
        _ level: Parents.Level,
        _ plan: StreamPlan,
        _ plans: [String: StreamPlan]
    ) throws(PlugError) -> ParentSource {
        var sources: [ParentSource] = []
        for source in level.sources {
            switch source {
            case .list(let template): sources.append(.list(try ParentList(template, plan)))
            case .stream(let name):
                // The manifest has been validated.
                guard let above = plans[name] else { continue }
                let stream = ParentSource.stream(above, try ParentSource(of: above.stream, plans))
                sources.append(ParentSelection.all(of: above).reduce(stream) { .selected($0, $1) })
            }
        }
        var source = sources.count == 1 ? sources[0] : .union(sources)
        if let skipIf = level.skipIf {
            source = .selected(source, ParentSelection(skipIf, level.globals, plan))
        }
        if let group = level.group { source = .grouped(source, group) }
        return source
    }
}
