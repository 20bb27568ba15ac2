import LosslessJSON
import PlugCore
import PlugManifest

/// A reading of a whole stream: its bounds, what it has seen, and where it is. A state machine: pages in, states out.
struct Pass: Sendable {
    private let since: Since?
    /// Where the next pass of the stream begins.
    private(set) var watermark: SinceValue?
    /// The lower bound, as it is sent.
    let lower: SinceValue?
    /// The upper bound, frozen when the pass began; `nil` for what has no clock.
    let upper: SinceValue?
    /// Of a pass without a clock that was interrupted: the greatest value that was seen by then. What changed while
    /// nobody read, on pages that were read already, has greater ones, and the next pass has to ask for them.
    private var ceiling: SinceValue?
    /// The greatest value seen, never after `upper`.
    private(set) var maximum: SinceValue?
    /// The value of the last record.
    private(set) var last: SinceValue?
    /// Whether the watermark moves with each page.
    private(set) var isOrdered: Bool
    private(set) var pager: Pager
    /// Whether the next page is the first one of a continued pass.
    private(set) var isResuming = false

    /// A pass from the start.
    ///
    /// - Parameters:
    ///   - lower: The lower bound, overlap already taken off.
    ///   - now: Microseconds since 1970.
    init(_ stream: PlugManifest.Stream, watermark: SinceValue?, lower: SinceValue?, now: Int64) {
        since = stream.since
        self.watermark = watermark
        self.lower = lower
        upper = stream.since.flatMap { Self.bound($0.type, now) }
        isOrdered = stream.since?.order == .ascending
        pager = Pager(stream.paging)
    }

    /// An interrupted pass; `nil` where what was saved does not suit the manifest any more.
    init?(_ stream: PlugManifest.Stream, watermark: SinceValue?, resuming saved: JSONValue, goesBack: Bool) {
        guard let pager = Pager(stream.paging, resuming: saved, goesBack: goesBack) else { return nil }
        since = stream.since
        self.watermark = watermark
        let type = stream.since?.type
        func value(_ name: String) -> SinceValue? {
            type.flatMap { type in saved[name].flatMap { SinceValue($0, type) } }
        }
        lower = value("lower")
        upper = value("upper")
        maximum = value("max")
        ceiling = type == .integer ? value("ceiling") ?? maximum : nil
        isOrdered = stream.since?.order == .ascending && saved["unordered"]?.bool != true
        self.pager = pager
        isResuming = !pager.isAtStart
    }

    private static func bound(_ type: Since.Kind, _ now: Int64) -> SinceValue? {
        type.isTime ? .moment(Timestamp(microseconds: now)) : nil
    }

    /// What a state keeps of it: enough to ask for the page at `place`.
    var json: JSONValue {
        var object = JSONObject()
        if let type = since?.type {
            object["lower"] = lower?.json(type)
            object["upper"] = upper?.json(type)
            object["max"] = maximum?.json(type)
            object["ceiling"] = ceiling?.json(type)
            if since?.order == .ascending, !isOrdered { object["unordered"] = .bool(true) }
        }
        for member in pager.members { object[member.key] = member.value }
        return .object(object)
    }

    /// The watermark as a state keeps it.
    var watermarkJSON: JSONValue? { since.flatMap { since in watermark?.json(since.type) } }

    /// What taking in a page came to.
    enum Outcome: Sendable, Equatable {
        /// There is another page.
        case goesOn
        /// The pass is complete, and the watermark has moved.
        case complete
        /// The pass cannot go on, and its watermark stays.
        case stuck(PagingFault)
    }

    /// Takes in a page.
    ///
    /// - Returns: What came of it, and whether this page was the first one out of order.
    mutating func take(_ facts: PageFacts, _ summary: SinceSummary?) -> (outcome: Outcome, breaksOrder: Bool) {
        var goesOn = false
        var limit: PagingFault?
        do throws(PagingFault) { goesOn = try pager.take(facts) } catch {
            guard error == .limit else { return (.stuck(error), false) }
            // The page is good, and the next run goes on behind it.
            (goesOn, limit) = (true, error)
        }
        isResuming = false
        var breaksOrder = false
        if let summary {
            maximum = SinceValue.later(maximum, summary.maximum).map { SinceValue.earlier($0, upper) }
            last = summary.last
            if isOrdered, !summary.isAscending {
                isOrdered = false
                breaksOrder = true
            }
        }
        if !goesOn || isOrdered { moveWatermark() }
        return (limit.map { .stuck($0) } ?? (goesOn ? .goesOn : .complete), breaksOrder)
    }

    /// To the smaller of bound and maximum, and never back.
    private mutating func moveWatermark() {
        guard let maximum else { return }
        let bound = isOrdered ? upper : upper ?? ceiling
        watermark = SinceValue.later(watermark, SinceValue.earlier(maximum, bound))
    }
}
