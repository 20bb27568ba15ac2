internal import PlugCore
internal import PlugNormalise

/// Normalises the pages of a stream. Records that do not fit the manifest stop the stream, but if they belong to a parent they
/// hold up no other parent's.
struct StreamNormaliser {
    /// If this many parents have records that do not fit, and none has any that do, the manifest is at fault.
    private static let misfitLimit = 10

    private let normaliser: Normaliser
    /// What was wrong with the records of the first parent that was left out, and how many parents were.
    private var misfit: PlugError?
    private var misfits = 0
    /// The parent left out last, which may have more pages: its position must not pass what was left out.
    private var leftOut: String?
    /// Whether some parent's records fit.
    private var hasFitting = false
    /// What all records show about the manifest.
    private(set) var findings = RecordFindings()
    /// The members of the source's records.
    private(set) var shape = SourceShape()
    /// The answer being processed, so far.
    private var answer = AnswerRecords()

    init(_ normaliser: Normaliser) { self.normaliser = normaliser }

    /// Whether parents were left out.
    var hasMisfits: Bool { misfits > 0 }

    /// Normalises a page; if its records do not fit, parent by parent.
    ///
    /// - Parameter page: Loses the states of parents whose records do not fit: the next pass reads them again.
    /// - Throws: `PlugError` if the records of a stream without parents do not fit, or no parent's do.
    mutating func normalise(_ page: inout FetchedPage) throws(PlugError) -> NormalisedPage {
        var whole = NormalisedPage()
        let sampled = SourceShape.recordsPerRun - shape.records
        let failures = answer.failures
        do throws(PlugError) {
            whole = try normaliser.normalise(page, sampled: sampled, among: &answer)
            if !page.groups.isEmpty, !whole.block.entries.isEmpty { hasFitting = true }
        } catch {
            guard error.reach == .item, !page.groups.isEmpty else { throw error }
            answer.equal.undo()
            answer.failures = failures
            try normaliseGroups(&page, into: &whole)
            if !hasFitting, misfits >= Self.misfitLimit { throw error }
        }
        if let leftOut { page.states[leftOut] = nil }
        findings.add(whole.findings)
        shape.add(whole.shape)
        return whole
    }

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
            // It is unknown whose they are: they are reported with the first parent's.
            part.broken = broken
            preceding += group.count + broken.count
            broken = []
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
            }
        }
    }

    /// The error of a stream that left out parents whose records do not fit; `nil` if there were none.
    var misfitError: PlugError? {
        guard var error = misfit else { return nil }
        error.reach = .stream
        if misfits > 1 || hasFitting {
            error.message +=
                "; \(misfits == 1 ? "1 parent was" : "\(misfits) parents were") left out; "
                + "all others are done"
        }
        return error
    }
}
