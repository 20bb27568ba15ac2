import LosslessJSON
import PlugCore
import PlugRuntime
import PlugStorage
import Synchronization

/// Watches what must hold whatever happens: the invariants I1 to I6 of Documentation/delivery.md.
final class Auditor: Sendable {
    private struct Book: Sendable {
        /// Pages, and blocks of those that are decoded.
        var pages: [[Version]] = []
        /// How many of them are covered by commits that moved the stream's state.
        var committed = 0

        /// The records of the pages that a commit covers: at least one page, and further ones as long as they have no more records
        /// than the commit proves. That is never more than it covers: what repeats in a pass is proved once.
        mutating func take(_ commit: StreamCommit) -> [Version] {
            // The first entry names the map.
            var left = commit.ledger.count / RecordFingerprint.packedSize - 1
            var versions: [Version] = []
            while committed < pages.count {
                let page = pages[committed]
                if !versions.isEmpty, page.isEmpty || page.count > left { break }
                versions += page
                committed += 1
                left -= page.count
                if page.isEmpty { break }
            }
            return versions
        }
    }

    private struct State: Sendable {
        /// Every version of every thing that a person's source ever had.
        var history: [[JSONValue: Version]]
        var unmappable: [Set<JSONValue>]
        var books: [StreamID: Book] = [:]
        var watermarks: [String: JSONValue] = [:]
        var tokens: [Int: Int64] = [:]
        var problems: [String] = []
        /// A dead process's request may land after its successor's.
        var isDisordered = false
        /// A watermark may be taken back.
        var mayGoBack = false
        /// The `_id`s, without versions, of what a stream's passes have found, where they are compared.
        var found: [StreamID: Set<String>] = [:]
        /// What is sent again by command may be refused and written down again.
        var hasRepeats = false
    }

    private let state: Mutex<State>
    let servers: Servers
    let streams: [StreamShape]
    private let people: [String]
    private let isTogether: Bool

    /// - Parameter isTogether: Whether the streams of a connection are read at the same time.
    init(_ servers: Servers, isTogether: Bool) {
        self.isTogether = isTogether
        self.servers = servers
        let source = servers.source
        streams = source.streams
        people = source.people
        state = Mutex(
            State(
                history: source.people.map { _ in [:] },
                unmappable: source.people.map { _ in [] }
            )
        )
    }

    /// What is wrong, in the order in which it was found.
    var problems: [String] { state.withLock { $0.problems } }
    func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

    /// A request of a dead process is still on the wire: from now on the order is the network's.
    func expectDisorder() { state.withLock { $0.isDisordered = true } }

    /// Whether requests may have landed in another order than they were sent.
    var isDisordered: Bool { state.withLock { $0.isDisordered } }
    /// The version that a record is, if a person's source ever had it.
    func known(_ record: JSONValue, _ person: Int) -> Version? { state.withLock { $0.history[person][record] } }
    /// What the passes of a stream have found so far.
    func found(_ stream: StreamID) -> Set<String> { state.withLock { $0.found[stream] ?? [] } }

    private func noteFound(_ commit: StreamCommit) {
        if commit.inventory.isEmpty { return }
        state.withLock { $0.found[commit.stream, default: []].formUnion(Self.found(in: commit.inventory)) }
    }

    /// What was found so far was expected: a PDA has lost what it had.
    func pardon() { state.withLock { $0.problems = [] } }

    /// A run sends again what is known, dead letters too.
    func expectRepeats() { state.withLock { $0.hasRepeats = true } }

    /// Takes in what the source has now.
    func learn() throws {
        for (person, versions) in try servers.versions().enumerated() {
            state.withLock { state in
                for version in versions {
                    state.history[person][version.content] = version
                    if version.destiny == .unmappable { state.unmappable[person].insert(version.raw) }
                }
            }
        }
    }

    /// A new process begins.
    ///
    /// - Parameter isClockWrong: Whether the host's clock goes wrong in it: then a watermark may seem to be of the future,
    ///   and is taken back.
    func beginLife(isClockWrong: Bool = false) {
        state.withLock { state in
            state.books = [:]
            state.mayGoBack = isClockWrong
        }
    }

    /// A page has reached the host.
    func handed(_ page: HandedPage) {
        let stream = id(page.person, page.stream)
        state.withLock { state in
            state.books[stream, default: Book()].pages += page.blocks
            for version in page.blocks.joined() where version.destiny == .broken {
                state.unmappable[page.person].insert(version.raw)
            }
        }
    }

    func id(_ person: Int, _ stream: Int) -> StreamID {
        StreamID(connection: ConnectionID(people[person]), stream: streams[stream].name)
    }

    // MARK: - At every commit

    /// I1 and I3 at a commit: the states of the n-th page are there, so that the records of n pages are safe. And the
    /// watermark never goes back.
    func committed(_ commit: StreamCommit, in store: any PlugStore) async {
        noteWatermarks(commit)
        guard !commit.states.isEmpty, let person = people.firstIndex(of: commit.stream.connection.name),
            let at = streams.firstIndex(where: { $0.name == commit.stream.stream }), !streams[at].isChild
        else { return }
        // Pages that have to be joined are looked at more than once, and what is new on the second look is another pass's:
        // what they lead to is audited at the end.
        let isAboveCompared = streams.contains { $0.parent == at && $0.deletes == .missing }
        if streams[at].joinsPages || (isAboveCompared && !streams[at].isKeyed) { return }
        // Streams that are read at the same time drop pages when one of them has to go on alone, and the walk of a child is
        // given pages of its parent's stream in between: which page a commit belongs to cannot be told.
        if isTogether { return }
        let versions = state.withLock { $0.books[commit.stream, default: Book()].take(commit) }
        for version in versions where !(await isSafe(version, person, commit.stream, store)) {
            note("I1: \(version.identity) of \(commit.stream) was committed and is nowhere")
        }
    }

    /// A batch of the outbox was settled: what was in it is in the PDA, a dead letter, or what is left of the batch.
    func settled(_ batch: StoredOutboxBatch?, with commit: StreamCommit, in store: any PlugStore) async {
        noteWatermarks(commit)
        guard let batch, let person = people.firstIndex(of: commit.stream.connection.name) else { return }
        for record in Self.records(batch) {
            guard let version = state.withLock({ $0.history[person][record] }) else {
                note("the outbox of \(commit.stream) held a record that the source never had")
                continue
            }
            if !(await isSafe(version, person, commit.stream, store)) {
                note("I1: \(version.identity) left the outbox of \(commit.stream) and is nowhere")
            }
        }
    }

    private func noteWatermarks(_ commit: StreamCommit) {
        noteFound(commit)
        // What a wrong clock has moved into the future is taken back.
        let now = JSONValue.text(Timestamp(seconds: servers.now).rfc3339)
        for (part, bytes) in commit.states {
            let name = "\(commit.stream) '\(part)'"
            guard let value = try? JSONValue(parsing: bytes.bytes) else {
                note("the state of \(name) is not JSON")
                continue
            }
            let watermark = value["watermark"]?["at"] ?? value["watermark"] ?? .null
            state.withLock { state in
                if let before = state.watermarks[name], !state.mayGoBack, !Self.isBefore(now, before),
                    Self.isBefore(watermark, before)
                {
                    state.problems.append(
                        "the watermark of \(name) went back from \(before.compactText) to \(watermark.compactText)"
                    )
                }
                state.watermarks[name] = watermark
            }
        }
    }

    private static func isBefore(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if one.isNull { return !other.isNull }
        if let one = one.stringText.flatMap({ Timestamp($0) }), let other = other.stringText.flatMap({ Timestamp($0) })
        {
            return one < other
        }
        if one.typeName != other.typeName { return false }
        if let one = one.number?.int64, let other = other.number?.int64 { return one < other }
        return !other.isNull && one != other
    }

    /// Whether a record is in the PDA, in the outbox, or a dead letter.
    private func isSafe(
        _ version: Version,
        _ person: Int,
        _ stream: StreamID,
        _ store: any PlugStore
    ) async -> Bool {
        if version.destiny == .dropped || servers.holds(version.content, person) { return true }
        do {
            let letters = try await store.deadLetters(DeadLetterFilter(connection: stream.connection))
            if letters.contains(where: { Self.record($0.letter) == version.content }) { return true }
            if letters.contains(where: { Self.record($0.letter) == version.raw }) { return true }
            return try await store.outbox(of: stream, limit: .max).contains {
                Self.records($0).contains(version.content)
            }
        } catch {
            note("the store cannot be read: \(error)")
            return false
        }
    }

    static func records(_ batch: StoredOutboxBatch) -> [JSONValue] {
        let block = batch.batch.records
        return block.entries.map { (try? JSONValue(parsing: Array(block.bytes[$0.range]))) ?? .null }
    }
    static func record(_ letter: DeadLetter) -> JSONValue { (try? JSONValue(parsing: letter.record)) ?? .null }

    // MARK: - After every life

    /// What must hold after every life, whatever it died of.
    func audit(_ reports: [RunReport], in store: any PlugStore) async throws {
        for report in reports {
            for (name, counts) in report.streams where !counts.isBalanced {
                note("the counts of \(report.connection)/\(name) do not add up: \(counts)")
            }
        }
        for violation in servers.violations { note("I4: \(violation)") }
        for person in people.indices {
            auditPDA(person)
            try await auditLetters(person, store)
            try await auditToken(person, store)
            for (at, stream) in streams.enumerated() where stream.isMapped {
                try await auditHidden(id(person, at), store)
            }
        }
    }

    /// No record of a stream is kept before the state knows what is not shown of it.
    private func auditHidden(_ stream: StreamID, _ store: any PlugStore) async throws {
        let filter = DeadLetterFilter(connection: stream.connection, stream: stream.stream, limit: 1)
        let letters = try await store.deadLetters(filter).count
        let batches = try await store.outbox(of: stream, limit: 1).count
        guard letters + batches > 0, try await store.profile(of: stream)?.hidden.names != ["amount"] else { return }
        note("records of \(stream) are kept, and nothing of them is hidden")
    }

    /// I2: nothing twice, nothing that the source never had, and of each thing the older version first.
    private func auditPDA(_ person: Int) {
        let pda = servers.pda(person)
        var identities: Set<String> = []
        var newest: [String: Int] = [:]
        let absent = servers.source.accounts[person].absent
        let (history, isDisordered) = state.withLock { ($0.history[person], $0.isDisordered) }
        for (endpoint, record) in pda.stored {
            guard let version = history[record] else {
                note("\(pda.origin) holds a record that the source never had: \(record.compactText)")
                continue
            }
            let shape = streams.first { $0.name == version.stream }
            let place = shape?.tombstonesOf.map { streams[$0].name } ?? version.stream
            guard let shape, endpoint == "sim/\(place)" else {
                note("\(version.identity) was stored at \(endpoint)")
                continue
            }
            if ![.delivered, .stumbling].contains(version.destiny) {
                note("\(version.identity) was stored and should not have been")
            }
            if shape.deletes == .missing, version.isDeletion, !absent.contains(version.item) {
                note("\(version.identity) was stored, and the thing was there all the time")
            }
            // A deletion without a version may be of any of them; that of a missing thing has the one that was written down last,
            // and a process may have died before it wrote down the next.
            if !version.isDeletion || (shape.versions == .declared && shape.deletes != .missing) {
                let thing = "\(version.stream) \(version.item)"
                if let before = newest[thing], version.number < before, !isDisordered {
                    note("version \(version.number) of \(thing) of \(people[person]) was stored after \(before)")
                }
                newest[thing] = version.number
            }
            guard shape.hasIdentity, shape.versions != .undeclared else { continue }
            if !identities.insert(version.identity).inserted { note("I2: \(version.identity) is stored twice") }
        }
    }

    /// Nobody's good record is a dead letter, and no record is one twice.
    private func auditLetters(_ person: Int, _ store: any PlugStore) async throws {
        let letters = try await store.deadLetters(DeadLetterFilter(connection: ConnectionID(people[person])))
        var seen: Set<JSONValue> = []
        for stored in letters {
            let record = Self.record(stored.letter)
            let isMeant = state.withLock { state in
                state.history[person][record]?.destiny == .refusedByPDA || state.unmappable[person].contains(record)
            }
            if !isMeant { note("\(people[person])'s \(stored.letter.identity) is a dead letter without reason") }
            if !seen.insert(record).inserted, !state.withLock({ $0.hasRepeats }) {
                note("\(people[person])'s \(stored.letter.identity) is a dead letter twice")
            }
        }
    }

    /// I6: the kept token is never replaced by an older one.
    private func auditToken(_ person: Int, _ store: any PlugStore) async throws {
        let kept = try await store.keptToken(of: ConnectionID(people[person]))?.issuedAt ?? 0
        state.withLock { state in
            if let before = state.tokens[person], kept < before {
                state.problems.append("I6: \(people[person])'s token of \(before) gave way to one of \(kept)")
            }
            state.tokens[person] = kept
        }
    }

    // MARK: - When all is done

    /// Everything that the source has now is in its person's PDA, or a dead letter with a reason; records at which the PDA
    /// still fails wait in the outbox, beside no others.
    func auditEnd(in store: any PlugStore) async throws {
        let isMended = servers.isMended
        for (person, versions) in try servers.readable().enumerated() {
            let letters = try await store.deadLetters(DeadLetterFilter(connection: ConnectionID(people[person])))
            let dead = Set(letters.map { Self.record($0.letter) })
            // The line in which one stands differs from answer to answer.
            let deadTexts = Set(dead.compactMap { $0["text"] })
            for version in versions {
                let isThere =
                    switch version.destiny {
                    case .delivered: servers.holds(version.content, person)
                    case .stumbling where isMended: servers.holds(version.content, person)
                    case .stumbling:
                        try await waits(version, person, store)
                            || (version.isDeletion && servers.holds(version.content, person))
                    case .refusedByPDA: dead.contains(version.content)
                    case .unmappable: dead.contains(version.raw)
                    case .broken: deadTexts.contains(version.raw)
                    case .dropped: true
                    }
                if !isThere { note("\(people[person])'s \(version.identity) (\(version.destiny)) is missing") }
            }
            for stream in streams.indices {
                try await auditOutbox(of: id(person, stream), person, isMended, store)
            }
            if isMended, servers.source.stumbles.isEmpty { auditMissing(person, versions) }
        }
    }

    /// How many versions that the PDA refuses it may be asked for yet, of the person with the most: those that are no dead letters,
    /// and those that the source has now, which are sent again where the ledger knows them no more.
    func refusedAhead(in store: any PlugStore) async throws -> Int {
        var most = 0
        for (person, now) in try servers.readable().enumerated() {
            let letters = try await store.deadLetters(DeadLetterFilter(connection: ConnectionID(people[person])))
            let refused = state.withLock { $0.history[person].filter { $1.destiny == .refusedByPDA } }
            let older = Set(refused.keys).subtracting(letters.map { Self.record($0.letter) })
            most = max(most, older.union(now.filter { $0.destiny == .refusedByPDA }.map(\.content)).count)
        }
        return most
    }

    private func waits(_ version: Version, _ person: Int, _ store: any PlugStore) async throws -> Bool {
        for stream in streams.indices {
            let batches = try await store.outbox(of: id(person, stream), limit: .max)
            if batches.contains(where: { Self.records($0).contains(version.content) }) { return true }
        }
        return false
    }

    private func auditOutbox(
        of stream: StreamID,
        _ person: Int,
        _ isMended: Bool,
        _ store: any PlugStore
    ) async throws {
        var seen: Set<JSONValue> = []
        for batch in try await store.outbox(of: stream, limit: .max) {
            let records = Self.records(batch)
            let destinies = state.withLock { state in records.map { state.history[person][$0]?.destiny } }
            if isMended || destinies.contains(where: { $0 != .stumbling }) {
                note("a batch stays in the outbox of \(stream): \(destinies)")
            }
            for record in records where !seen.insert(record).inserted && !state.withLock({ $0.hasRepeats }) {
                note("a record waits twice in the outbox of \(stream)")
            }
        }
    }
}
