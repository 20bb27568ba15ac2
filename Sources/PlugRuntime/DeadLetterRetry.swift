public import HTTPTransport
public import PlugCore
internal import PlugDeliver
public import PlugStore

/// What became of dead letters that were sent again.
public struct RetryCounts: Sendable, Equatable {
    /// Stored now, and no dead letters any more.
    public var delivered = 0
    /// Proved to be in the PDA already, and no dead letters any more.
    public var duplicates = 0
    /// Refused again, kept with the new reason.
    public var refused = 0
    /// Not in a form that can be sent: `map`, `key` or a cast could not take the source's record.
    public var raw = 0
    /// Not sent, or sent without an answer to work with: kept as they were.
    public var undelivered = 0

    /// Zero of everything.
    public init() {}

    /// How many are still dead letters.
    public var kept: Int { refused + raw + undelivered }
}

/// Sends dead letters of one connection again, at a person's command.
public struct DeadLetterRetry: Sendable {
    /// A deliverer takes ten refusals of single records for the PDA's trouble. That protects records which were never
    /// refused; these were, so that each few have a deliverer of their own.
    private static let group = 9

    /// What the token's claims make worth saying.
    public let warnings: [Diagnostic]
    private let store: any PlugStore
    private let origin: String
    private let tokens: RunTokens
    private let politeness: Politeness
    private let clock: any HostClock

    /// Checks that everything belongs together; sends nothing yet.
    ///
    /// - Parameters:
    ///   - connection: Whose dead letters.
    ///   - token: The application token as the token file holds it; a newer one that was kept goes before it.
    ///   - store: Where they are kept, open to write.
    ///   - transport: Carries requests to the PDA.
    ///   - clock: Time and chance.
    /// - Throws: What `TokenCheck` says (77), and what the store says.
    public init(
        connection: Connection,
        token: Secret?,
        store: any PlugStore,
        transport: any HTTPSending,
        clock: any HostClock = SystemClock()
    ) async throws {
        (tokens, warnings) = try await RunTokens.checked(file: token, of: connection, store: store, clock: clock)
        origin = connection.pda
        self.store = store
        politeness = Politeness(store: store, transport: transport, clock: clock)
        self.clock = clock
    }

    /// Sends some dead letters again. What the PDA has now is removed at once; the others stay, with the newest reason.
    ///
    /// - Parameters:
    ///   - letters: Dead letters of the connection.
    ///   - counts: Is added to, also where this throws.
    /// - Throws: `PlugError`: what stopped the delivery, and what the store says.
    public func send(_ letters: [StoredDeadLetter], counting counts: inout RetryCounts) async throws {
        do { try await sendAll(letters, counting: &counts) } catch {
            await politeness.settle()
            throw error
        }
        await politeness.settle()
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
        let pda = AppendOnlyPDA(
            origin: origin,
            namespace: path.namespace,
            token: tokens,
            transport: politeness.transport,
            clock: clock
        )
        let receipt = await Deliverer(pda: pda, clock: clock).deliver(block, selection: letters.indices, to: path)
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
            case .deadLetter(let reason), .refused(let reason):
                counts.refused += 1
                renewed.append((stored.id, reason))
            case .undelivered: counts.undelivered += 1
            }
        }
        // What is stored goes first: sending it again would be work for nothing.
        if !done.isEmpty { _ = try await store.removeDeadLetters(done) }
        for (id, reason) in renewed { try await store.renewDeadLetter(id, reason: reason) }
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
