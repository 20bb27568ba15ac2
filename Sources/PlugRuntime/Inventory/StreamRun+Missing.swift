internal import PlugCore
internal import PlugManifest
internal import PlugNormalise
internal import PlugStorage

// Things that a complete pass no longer finds.
extension StreamRun {
    /// How many deletions are delivered at a time.
    private static let step = 500

    /// Delivers the last page of a pass, then the deletions that the pass shows, and only then ends it: after an interruption,
    /// the run resumes at the last page.
    ///
    /// In an interrupted pass a thing may have moved from a page still to be read to one already read, as changed things do if
    /// the newest come first. Such a pass only keeps things that are missing for the first time; they are reported as deleted if
    /// the next pass misses them as well.
    func deliverLast(_ page: IncomingPage, _ inventory: Inventory) async throws {
        var end = IncomingPage(states: page.states, endsPass: true, isRepeatable: page.isRepeatable)
        var last = page
        (last.states, last.endsPass) = ([:], false)
        try await deliver(last)
        let comparison = try await PassComparison(inventory, id, pass: pass, last: page.inventory, from: shared.store)
        let count = try await comparison.count()
        var kept = beganPass ? nil : PassComparison.Missing.first
        let toBeTold = beganPass ? count.missing : count.again
        if toBeTold > 0 {
            heldDeletions = reason(toHold: toBeTold, of: count.found, comparison)
            if heldDeletions != nil { kept = .any } else { try await deliverDeletions(comparison) }
        }
        if let kept { try await keep(kept, of: comparison, inventory, until: &end) }
        try await deliver(end)
    }

    private func reason(toHold missing: Int, of found: Int, _ comparison: PassComparison) -> PlugError? {
        let things = missing == 1 ? "1 of \(found) things is" : "\(missing) of \(found) things are"
        if !comparison.isWhole {
            return PlugError(
                .deletionsHeld,
                "\(stream.places["deletes"]): \(things) missing, but a part of this pass could not be read, or was read with "
                    + "another manifest: no deletion was delivered",
                advice:
                    "look at the dead letters (plughost deadletters list) and at the source's answers, and run again",
                stream: stream.name
            )
        }
        let limit = stream.missing?.limit ?? 100
        // At most some ten million things: no overflow.
        guard !shared.request.acceptsDeletions, missing * 100 > found * limit else { return nil }
        return PlugError(
            .deletionsHeld,
            "\(stream.places["deletes"]): \(things) missing, more than \(limit)%: no deletion was delivered, because the "
                + "source may have given a part of its list only",
            advice: "if they are gone, run once with --accept-deletions; if so many may be, raise 'max' in 'deletes'",
            stream: stream.name
        )
    }

    private func deliverDeletions(_ comparison: PassComparison) async throws {
        var told = 0
        while true {
            let missing = try await comparison.missing(
                beganPass ? .any : .again,
                after: told,
                atMost: PassComparison.collected
            )
            if missing.isEmpty { return }
            for start in stride(from: 0, to: missing.count, by: Self.step) {
                var page = IncomingPage()
                for identity in missing[start..<min(missing.count, start + Self.step)] {
                    page.append(deletionOf: identity)
                }
                try meet(&page)
                try await deliver(page)
            }
            told += missing.count
        }
    }

    /// Carries missing things over into this pass's inventory, so that the next one compares them again.
    private func keep(
        _ which: PassComparison.Missing,
        of comparison: PassComparison,
        _ inventory: Inventory,
        until end: inout IncomingPage
    ) async throws {
        var kept = 0
        while true {
            let missing = try await comparison.missing(which, after: kept, atMost: PassComparison.collected)
            if missing.isEmpty { return }
            var row: [UInt8] = []
            for identity in missing {
                inventory.append(Inventory.Entry(kind: .kept, identity: identity[...]), to: &row)
            }
            kept += missing.count
            guard missing.count == PassComparison.collected else {
                end.inventory = row
                return
            }
            try await deliver(IncomingPage(inventory: row))
        }
    }
}

extension IncomingPage {
    /// Adds the record that reports a thing as gone.
    fileprivate mutating func append(deletionOf identity: [UInt8]) {
        let deletion = DeletionRecord(of: identity)
        block.append(deletion.bytes, identity: deletion.identity)
        deleted += 1
    }
}
