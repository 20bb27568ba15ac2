internal import PlugCore
internal import PlugManifest
internal import PlugNormalise

/// Normalises the pages of a stream. Records that do not fit the manifest stop the stream, but if they belong to a parent or to an
/// entry of an archive they hold up no other's.
struct StreamNormaliser {
    /// If this many parents have records that do not fit, and none has any that do, the manifest is at fault. This does not apply
    /// to entries: to read them costs no requests, and the ones behind them may fit.
    private static let misfitLimit = 10

    private let normaliser: Normaliser
    /// What was wrong with the records of the first parent or entry that was left out, and how many were.
    private var misfit: PlugError?
    private var misfits = 0
    /// The parent or entry left out last, which may have more pages: its position must not pass what was left out.
    private var leftOut: String?
    /// Where the stream has to continue if entries were left out: before the first of them.
    private var held: StreamState?
    /// Whether the records of some parent or entry fit.
    private var hasFitting = false
    /// What all records show about the manifest.
    private(set) var findings = RecordFindings()
    /// The members of the source's records.
    private(set) var shape = SourceShape()
    /// The answer being processed, so far.
    private var answer = AnswerRecords()

    init(_ normaliser: Normaliser) { self.normaliser = normaliser }

    /// Whether parents or entries were left out.
    var hasMisfits: Bool { misfits > 0 }

    /// Whether the stream is read from the entries of an archive.
    private var hasEntries: Bool { normaliser.stream.archive != nil }

    /// Normalises a page; if its records do not fit, parent by parent, or entry by entry.
    ///
    /// - Parameter page: Loses the states of parents whose records do not fit: the next pass reads them again. From an entry whose
    ///   records do not fit on, all pages have the place before it.
    /// - Throws: `PlugError` if the records of a stream without parents and entries do not fit, or no parent's do.
    mutating func normalise(_ page: inout FetchedPage) throws(PlugError) -> NormalisedPage {
        var whole = NormalisedPage()
        let sampled = SourceShape.recordsPerRun - shape.records
        let failures = answer.failures
        if let first = page.groups.first, isWaiting(first) {
            try normaliseGroups(&page, into: &whole)
        } else {
            do throws(PlugError) {
                whole = try normaliser.normalise(page, sampled: sampled, among: &answer)
                if !page.groups.isEmpty, !whole.block.entries.isEmpty { hasFitting = true }
            } catch {
                guard error.reach == .item, !page.groups.isEmpty else { throw error }
                answer.equal.undo()
                answer.failures = failures
                try normaliseGroups(&page, into: &whole)
                if !hasFitting, !hasEntries, misfits >= Self.misfitLimit { throw error }
            }
        }
        if let leftOut { page.states[leftOut] = nil }
        if let held { page.states[""] = held }
        findings.add(whole.findings)
        shape.add(whole.shape)
        return whole
    }

    /// Whether records are the rest of an entry that was left out: they are read again with it, and equal ones counted.
    private func isWaiting(_ group: FetchedPage.Group) -> Bool { hasEntries && group.part == leftOut }

    private mutating func normaliseGroups(_ page: inout FetchedPage, into whole: inout NormalisedPage) throws(PlugError)
    {
        var start = 0
        var broken = page.broken
        var (preceding, latest) = (page.preceding, page.groups.first?.part)
        for group in page.groups {
            // The page's first answer may have begun earlier; another parent's is another answer.
            if group.part != latest { (preceding, latest, answer.failures) = (0, group.part, 0) }
            var part = page
            part.isOfSeveralAnswers = false
            part.preceding = preceding
            part.records = Array(page.records[start..<(start + group.count)])
            start += group.count
            // If it is unknown whose they are, they are reported with the first parent's.
            part.broken = Array(broken.prefix(group.broken ?? broken.count))
            broken.removeFirst(part.broken.count)
            part.origin = group.origin ?? page.origin
            preceding += group.count + part.broken.count
            if isWaiting(group) { continue }
            do throws(PlugError) {
                let sampled = SourceShape.recordsPerRun - shape.records
                whole.append(try normaliser.normalise(part, sampled: sampled, among: &answer))
                if group.count > 0 { hasFitting = true }
            } catch {
                guard error.reach == .item else { throw error }
                misfit = misfit ?? error
                if leftOut != group.part { misfits += 1 }
                leftOut = group.part
                page.states[group.part] = nil
                if hasEntries { held = held ?? page.stateBefore }
            }
        }
    }

    /// The error of a stream that left out parents or entries whose records do not fit; `nil` if there were none.
    var misfitError: PlugError? {
        guard var error = misfit else { return nil }
        error.reach = .stream
        if hasEntries {
            error.advice =
                "correct the stream in the manifest, or leave the entry out of 'entries'; until then, each run with this archive "
                + "comes back to it"
        }
        if misfits > 1 || hasFitting {
            let (one, many, done) = hasEntries ? ("entry", "entries", "delivered") : ("parent", "parents", "done")
            error.message += "; \(misfits.counted("\(one) was", "\(many) were")) left out; all others are \(done)"
        }
        return error
    }
}
