internal import PlugCore
internal import PlugNormalise

// Records that do not fit the manifest: those of one parent hold up no other's.
extension StreamRun {
    /// So many parents whose records do not fit, and none whose records do: then it is the manifest.
    private static let misfitLimit = 10

    /// Normalises a page; where its records do not fit, parent by parent.
    ///
    /// - Parameter page: Loses the states of parents whose records do not fit: the next pass reads them again.
    /// - Throws: `PlugError` if the records of a stream without parents do not fit, or nobody's do.
    mutating func normalise(_ page: inout FetchedPage) throws(PlugError) -> NormalisedPage {
        let error: PlugError
        do throws(PlugError) {
            let normalised = try normaliser.normalise(page)
            if !page.groups.isEmpty, !normalised.block.entries.isEmpty { hasFitting = true }
            return normalised
        } catch let failure {
            error = failure
        }
        guard error.reach == .item, !page.groups.isEmpty else { throw error }
        var whole = NormalisedPage()
        var start = 0
        for group in page.groups {
            var part = page
            part.records = Array(page.records[start..<(start + group.count)])
            start += group.count
            do throws(PlugError) {
                whole.append(try normaliser.normalise(part))
                if group.count > 0 { hasFitting = true }
            } catch let failure {
                guard failure.reach == .item else { throw failure }
                misfits.append(failure)
                page.states[group.part] = nil
            }
        }
        if !hasFitting, misfits.count >= Self.misfitLimit { throw error }
        return whole
    }

    /// The error of a stream that left out parents whose records do not fit, `nil` if there were none.
    var misfitSummary: PlugError? {
        guard var error = misfits.first else { return nil }
        error.reach = .stream
        if misfits.count > 1 || hasFitting {
            error.message +=
                "; \(misfits.count == 1 ? "1 parent was" : "\(misfits.count) parents were") left out; "
                + "all others are done"
        }
        return error
    }
}
