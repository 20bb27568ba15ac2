internal import PlugCore
internal import PlugDeliver
package import PlugStorage
internal import Throttling

/// What became of dead letters that were sent again.
package struct RetryCounts: Sendable, Equatable {
    /// Stored now, and no longer dead letters.
    package var delivered = 0
    /// Proved to be in the PDA already, and no longer dead letters.
    package var duplicates = 0
    /// Refused again, and kept with the new reason.
    package var refused = 0
    /// Not in a form that can be sent: `map`, `key` or a cast could not process the source's record.
    package var raw = 0
    /// Not sent, or sent without a usable answer: kept as they were.
    package var undelivered = 0

    /// All zero.
    package init() {}

    /// How many are still dead letters.
    package var kept: Int { refused + raw + undelivered }
}

/// Sends dead letters of one connection again, at a person's request.
package struct DeadLetterRetry: Sendable {
    /// A deliverer takes ten refusals of single records to mean trouble at the PDA. That protects records that were never
    /// refused; these were, so each small group gets its own deliverer.
    private static let group = 9

    private let access: ResendAccess

    /// Prepares to retry dead letters of the connection.
    package init(_ access: ResendAccess) { self.access = access }

    /// Sends some dead letters again. Those that the PDA now has are removed at once; the others stay, with the newest reason.
    ///
    /// - Parameters:
    ///   - letters: Dead letters of the connection.
    ///   - counts: Is added to, even if this throws.
    /// - Throws: `PlugError`: the error that stopped the delivery, and the store's errors.
    package func send(_ letters: [StoredDeadLetter], counting counts: inout RetryCounts) async throws {
        do { try await sendAll(letters, counting: &counts) } catch {
            await access.throttling.settle()
            throw error
        }
        await access.throttling.settle()
    }

    private func sendAll(_ letters: [StoredDeadLetter], counting counts: inout RetryCounts) async throws {
        let sendable = letters.filter { $0.letter.path != nil }
        counts.raw += letters.count - sendable.count
        var rest = sendable[...]
        while let path = rest.first?.letter.path {
            let group = rest.prefix { $0.letter.path == path }.prefix(Self.group)
            rest = rest.dropFirst(group.count)
            do { try await send(Array(group), to: path, counting: &counts) } catch {
                counts.undelivered += rest.count
                throw error
            }
        }
    }

    private func send(_ letters: [StoredDeadLetter], to path: DataPath, counting counts: inout RetryCounts) async throws
    {
        let block = RecordBlock(letters.map(\.letter))
        let receipt = await access.deliverer(to: path.namespace).deliver(block, selection: letters.indices, to: path)
        var done: [Int64] = []
        var renewed: [(id: Int64, reason: String)] = []
        for (stored, fate) in zip(letters, receipt.fates) {
            switch fate {
            case .delivered:
                counts.delivered += 1
                done.append(stored.id)
            case .duplicate:
                counts.duplicates += 1
                done.append(stored.id)
            case .deadLetter(let reason), .refused(let reason), .unanswered(let reason):
                counts.refused += 1
                renewed.append((stored.id, reason))
            case .undelivered: counts.undelivered += 1
            }
        }
        // Stored records are removed first: sending them again would be wasted work.
        if !done.isEmpty { _ = try await access.store.removeDeadLetters(done) }
        for (id, reason) in renewed { try await access.store.renewDeadLetter(id, reason: reason) }
        if let stop = receipt.stop { throw stop }
    }
}

extension RecordBlock {
    /// The records of dead letters, which are canonical.
    fileprivate init(_ letters: [DeadLetter]) {
        self.init()
        for letter in letters { append(letter.record, identity: letter.identity.utf8) }
    }
}
