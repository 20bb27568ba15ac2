import CurlTransport
import Decoding
import JQ
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization

/// A stream with everything needed to read it, shared by all its walks.
final class StreamPlan: Sendable {
    let stream: PlugManifest.Stream
    /// The roots that all requests of a run share.
    let roots: TemplateRoots
    /// `nil` if the records are inside those of the parent, or in an archive.
    private let builder: RequestBuilder?
    let exchange: Exchange
    /// The Swift module that reads it; `nil` if the manifest says how.
    private let module: BoundModule?
    /// The configuration without its secrets.
    let config: JSONValue
    /// The path of the archive that it is read from; `nil` if none is configured.
    let file: String?
    let records: RecordSelection
    let since: SinceScan?
    let token: Selector?
    let more: Selector?
    let total: Selector?
    let pages: Selector?
    /// Identifies records, for streams whose pages have to be joined; `nil` for all others.
    let marks: RecordMarks?
    /// Whether all records of an answer are needed at once, so that a decoded one comes in one block.
    let needsWholePages: Bool
    /// The location of the list in JSON answers, if large ones are read in pieces.
    let list: JSONList?
    /// Whether the stream reads one page because its manifest says nothing of others: answers are searched for signs of them.
    let readsOnePage: Bool
    /// Whether the run is its author's trial, which also tells what may be chance.
    let isTrial: Bool
    /// `nil` if everything is to be read, changed or not.
    let validatorKeys: ValidatorKeys?
    /// The first day that the user wants; `nil` leaves it to the manifest.
    private let firstDay: String?
    /// When the first pass of the run began, for a stream without parents.
    private let started = Mutex<Int64?>(nil)

    init(
        _ stream: PlugManifest.Stream,
        roots: TemplateRoots,
        builder: RequestBuilder?,
        module: BoundModule? = nil,
        exchange: Exchange,
        config: JSONValue,
        file: String? = nil,
        validatorKeys: ValidatorKeys?,
        needs: StreamNeeds,
        firstDay: String? = nil,
        isTrial: Bool = false
    ) {
        readsOnePage = stream.paging == nil && !stream.declinesPages
        self.isTrial = isTrial
        self.firstDay = firstDay
        self.validatorKeys = validatorKeys
        self.stream = stream
        self.roots = roots
        self.builder = builder
        self.module = module
        self.exchange = exchange
        self.config = config
        self.file = file
        records = RecordSelection(stream.records)
        since = stream.since.map { since in
            SinceScan(
                since,
                sendsEnd: !since.until.isEmpty || stream.request?.usedRoots.contains("until") != false,
                exceptions: [stream.deletion, stream.dropIf].compactMap(\.self)
            )
        }
        token = stream.paging?.kind.lead.program.map { Selector($0) }
        more = stream.paging?.more.map { Selector($0) }
        total = stream.paging?.total.map { Selector($0) }
        pages = stream.paging?.pages.map { Selector($0) }
        let isBounded = stream.key.contains { !$0.usedGlobals.isDisjoint(with: ["since", "until"]) }
        marks = needs.joinsPages(stream) && !isBounded ? RecordMarks(stream.key.map { Selector($0) }) : nil
        needsWholePages = needs.needsWholePages(stream)
        var list = exchange.largestWholePage == nil ? nil : needs.list(of: stream)
        if isTrial, readsOnePage { list?.keepsRest = true }
        self.list = list
    }

    /// A walk through its pages, for one parent or none.
    ///
    /// - Parameters:
    ///   - lineage: The records it is read for.
    ///   - reader: The stream for which its pages are read: this one, or one below it.
    ///   - saved: The watermark and the interrupted pass, in stored form.
    ///   - given: The lower bound that the user gave.
    ///   - goesBack: Whether an interrupted pass over shifting pages goes one page back.
    ///   - listed: When the source listed the parent, by the source's clock, if it may not list that again.
    func walk(
        _ lineage: Lineage = Lineage(),
        for reader: String,
        saved: PartState,
        given: GivenBound?,
        goesBack: Bool = true,
        listed: Timestamp? = nil
    ) throws(PlugError) -> any Walk {
        if let archive = stream.archive { return ArchiveWalk(self, archive, saved: saved) }
        if let module { return ModuleWalk(self, module, saved: saved) }
        guard let builder else { return EmbeddedWalk(self, in: lineage) }
        return try StreamWalk(
            self,
            builder,
            lineage,
            for: reader,
            saved: saved,
            given: given,
            goesBack: goesBack,
            listed: listed
        )
    }

    /// Whether it is read only for parents that are new or have changed.
    var readsChangedOnly: Bool { stream.parent?.levels.first?.onlyChanged == true }

    /// What a watermark of `only: changed` was proved for: the parents whose records were read, and those left out.
    var parentsBasis: String? {
        guard let level = stream.parent?.levels.first, let parent = stream.parent?.streams.first else { return nil }
        var parts: [JSONValue] = [.text(parent), .text(level.skipIf?.source ?? "")]
        if level.skipIf?.usedGlobals.contains("config") == true { parts.append(config) }
        return ParentPart.name(of: .array(parts))
    }

    /// How far a watermark may be ahead of this machine's clock, in microseconds: hosts that share a state differ slightly.
    private static let tolerance: Int64 = 600_000_000
    private static let day: Int64 = 86_400_000_000

    /// What programs over this stream's records see besides the record.
    func globals(_ lineage: Lineage) -> [JSONValue] {
        stream.recordGlobals.values(parents: lineage.values, config: config)
    }

    /// What the programs of `page` see besides an answer's body.
    func globals(_ lineage: Lineage, headers: HTTPHeaders) -> [JSONValue] {
        stream.pageGlobals.values(parents: lineage.values, config: config, headers: headers.json)
    }

    /// A pass from the start, at a watermark.
    ///
    /// - Parameters:
    ///   - given: The lower bound that the user gave.
    ///   - listed: When the source listed the parent, by the source's clock.
    ///   - repeated: The pass whose lower bound this one takes, instead of the one from the watermark.
    // Called from asynchronous functions, whose frames reserve room for everything inlined into them.
    @inline(never)
    func pass(
        watermark: SinceValue?,
        given: GivenBound?,
        _ lineage: Lineage,
        listed: Timestamp? = nil,
        repeating repeated: Pass? = nil
    ) throws(PlugError) -> Pass {
        var lower = given?.value
        let now = exchange.clock.now()
        // All walks that read it in one run, for itself or for their own children, send the same request.
        let start = lineage.parent == nil ? firstStart(now) : now
        var watermark = watermark
        if case .moment(let moment) = watermark, moment.microseconds > now + Self.tolerance {
            // The clock was ahead when the watermark was written, and it hides what has come since; or the clock is behind now.
            // If by a little, some days are read again; if by a lot, everything is.
            exchange.warnOnce(
                stream.name,
                .cursorInFuture,
                "the stream would resume at \(moment.rfc3339), which is in the future, so the clock was or is wrong: "
                    + "earlier records are read again"
            )
            watermark =
                moment.microseconds > now + 2 * Self.day ? nil : .moment(Timestamp(microseconds: now - 4 * Self.day))
        }
        if let repeated {
            lower = repeated.lower
        } else if lower == nil, let since = stream.since {
            if let watermark {
                lower = try overlapping(watermark, since, lineage)
            } else {
                lower = try first(since, lineage)
            }
        }
        // A clock that is behind would leave out what the parent was listed for, and it may not be listed again.
        let end = max(start, listed?.microseconds ?? start)
        let pass = Pass(
            stream,
            watermark: watermark,
            lower: lower,
            given: given,
            now: start,
            end: end,
            last: try last(lineage)
        )
        try check(pass)
        return pass
    }

    /// The start of a pass that continues from a watermark. An overlap never reaches back before the first pass.
    private func overlapping(
        _ watermark: SinceValue,
        _ since: Since,
        _ lineage: Lineage
    ) throws(PlugError) -> SinceValue {
        guard since.overlap != nil else { return watermark }
        let lower = watermark.less(since.overlap)
        guard let first = try first(since, lineage), lower.precedes(first) else { return lower }
        return SinceValue.earlier(watermark, first)
    }

    /// When the first pass of the run began.
    private func firstStart(_ now: Int64) -> Int64 {
        started.withLock { started in
            let start = started ?? now
            started = start
            return start
        }
    }

    /// A pass in windows has to have a start, and must be able to reach its end.
    private func check(_ pass: Pass) throws(PlugError) {
        guard let windows = pass.windows, let since = stream.since else { return }
        guard let lower = pass.lower else {
            throw PlugError(
                .windowNeedsStart,
                "\(stream.places["since.from"]): 'since.from' (\(since.from?.source ?? "")) gives null, and 'since.window' needs to "
                    + "know where the first window begins",
                advice: "give it a default, as in {{ config.start // \"2020-01-01\" }}",
                stream: stream.name
            )
        }
        guard let count = windows.count(from: lower, to: pass.upper), count > SinceWindows.limit else { return }
        throw PlugError(
            .windowTooSmall,
            "\(stream.places["since.window"]): there would be \(count == .max ? "too many" : "\(count)") windows from "
                + "\(lower.json(since.type).compactText) on; a pass has at most \(SinceWindows.limit)",
            advice: "make 'since.window' longer, or make 'since.from' later",
            stream: stream.name
        )
    }

    /// Where the first pass begins, `nil` if neither the user nor the manifest says.
    private func first(_ since: Since, _ lineage: Lineage) throws(PlugError) -> SinceValue? {
        if since.type.isTime, let firstDay, let bound = SinceValue(.text(firstDay), since.type) { return bound }
        guard let from = since.from else { return nil }
        return try bound(from, "since.from", since, lineage)
    }

    /// Where the manifest ends a pass, `nil` if it continues to the present.
    private func last(_ lineage: Lineage) throws(PlugError) -> SinceValue? {
        guard let since = stream.since, let to = since.to else { return nil }
        // A user who leaves it out may have left an empty text.
        return try bound(to, "since.to", since, lineage, takesEmpty: true)
    }

    /// A bound of the manifest; `nil` if it evaluates to null.
    private func bound(
        _ template: Template,
        _ key: String,
        _ since: Since,
        _ lineage: Lineage,
        takesEmpty: Bool = false
    ) throws(PlugError) -> SinceValue? {
        var roots = roots
        lineage.fill(&roots, of: stream)
        roots.grant = exchange.tokens?.granted
        let value = try template.render(roots)
        if value.isNull || (takesEmpty && value.stringText?.isEmpty == true) { return nil }
        if let bound = SinceValue(value, since.type) { return bound }
        throw PlugError(
            .sinceUnreadable,
            exit: .configuration,
            "\(stream.places[key]): '\(key)' (\(template.source)) does not give a value of the type "
                + "\(since.type.rawValue)",
            advice: "give a value such as \(since.type == .integer ? "1000" : "2020-01-01")",
            stream: stream.name
        )
    }

    /// The lower bound that the user gave, as this stream interprets it.
    func given(_ text: String?) throws(PlugError) -> GivenBound? {
        guard let text, let since = stream.since else { return nil }
        if let bound = SinceValue(.text(text), since.type) { return GivenBound(value: bound) }
        if since.type.isTime, let duration = HumanDuration.parse(text) {
            let now = SinceValue.moment(Timestamp(microseconds: firstStart(exchange.clock.now())))
            return GivenBound(value: now.less(.duration(duration)), words: text)
        }
        throw PlugError(
            .sinceUnreadable,
            exit: .usage,
            "--since '\(DisplayText.escaped(String(text.prefix(60))))' is not a value of the type "
                + "\(since.type.rawValue)",
            advice: "give a value such as \(since.type == .integer ? "1000" : "2020-01-01 or 7d")",
            stream: stream.name
        )
    }
}
