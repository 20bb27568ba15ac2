package import PlugCore
package import PlugStorage

/// A store in front of another one, for a test that has something happen at its calls. Each of them is forwarded through
/// one of two hooks, so that a new method of `PlugStore` is added here and fails, dies or counts like the others.
package protocol ForwardingStore: PlugStore {
    var store: any PlugStore { get }
    /// Every call that changes nothing that lasts goes through here.
    func reading<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value
    /// Every call that writes goes through here.
    ///
    /// - Parameter name: What it does, for those who read what happened.
    func writing<Value: Sendable>(_ name: String, _ call: () async throws -> Value) async throws -> Value
}

extension ForwardingStore {
    package func reading<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value { try await call() }
    package func writing<Value: Sendable>(
        _ name: String,
        _ call: () async throws -> Value
    ) async throws -> Value { try await call() }

    package var scratchFolder: String? { store.scratchFolder }

    // MARK: - Reads

    package func connection(_ id: ConnectionID) async throws -> Connection? {
        try await reading { try await store.connection(id) }
    }
    package func connections() async throws -> [Connection] { try await reading { try await store.connections() } }
    package func connections(of plug: String, at pda: String) async throws -> [Connection] {
        try await reading { try await store.connections(of: plug, at: pda) }
    }
    package func connections(at pda: String) async throws -> [Connection] {
        try await reading { try await store.connections(at: pda) }
    }
    package func connections(_ search: ConnectionSearch) async throws -> FoundConnections {
        try await reading { try await store.connections(search) }
    }
    package func connectionCounts() async throws -> [ConnectionCount] {
        try await reading { try await store.connectionCounts() }
    }
    package func overdueCount(since time: Int64) async throws -> Int {
        try await reading { try await store.overdueCount(since: time) }
    }
    package func runSums(of plug: String?, since hour: Int64) async throws -> [RunSum] {
        try await reading { try await store.runSums(of: plug, since: hour) }
    }
    package func runCounts(since hour: Int64) async throws -> [String: [String: Int]] {
        try await reading { try await store.runCounts(since: hour) }
    }
    package func errorCounts(of plug: String?, since hour: Int64, limit: Int) async throws -> [ErrorCount] {
        try await reading { try await store.errorCounts(of: plug, since: hour, limit: limit) }
    }
    package func versions(of plug: String) async throws -> [VersionRuns] {
        try await reading { try await store.versions(of: plug) }
    }
    package func waitingBatches(of connection: ConnectionID, limit: Int) async throws -> [WaitingBatch] {
        try await reading { try await store.waitingBatches(of: connection, limit: limit) }
    }
    package func outboxHours() async throws -> [OutboxHour] {
        try await reading { try await store.outboxHours() }
    }
    package func longestWaiting(limit: Int) async throws -> [WaitingStream] {
        try await reading { try await store.longestWaiting(limit: limit) }
    }
    package func consent(_ name: [UInt8]) async throws -> StoredConsent? {
        try await reading { try await store.consent(name) }
    }
    package func consentsToPoll(limit: Int) async throws -> [StoredConsent] {
        try await reading { try await store.consentsToPoll(limit: limit) }
    }
    package func isLeased(_ connection: ConnectionID) async throws -> Bool {
        try await reading { try await store.isLeased(connection) }
    }
    package func lease(_ connection: ConnectionID) async throws -> ConnectionLease {
        try await reading { try await store.lease(connection) }
    }
    package func streamNames(of connection: ConnectionID) async throws -> [String] {
        try await reading { try await store.streamNames(of: connection) }
    }
    package func snapshot(of stream: StreamID) async throws -> StreamSnapshot {
        try await reading { try await store.snapshot(of: stream) }
    }
    package func state(of stream: StreamID, part: String) async throws -> StreamState? {
        try await reading { try await store.state(of: stream, part: part) }
    }
    package func profile(of stream: StreamID) async throws -> StreamProfile? {
        try await reading { try await store.profile(of: stream) }
    }
    package func currentPass(of stream: StreamID) async throws -> Int64 {
        try await reading { try await store.currentPass(of: stream) }
    }
    package func forEachLedgerRow(of stream: StreamID, _ body: @Sendable (Int64, [UInt8]) -> Void) async throws {
        try await reading { try await store.forEachLedgerRow(of: stream, body) }
    }
    package func forEachInventoryRow(
        of stream: StreamID,
        pass: Int64,
        newestFirst: Bool,
        _ body: @Sendable ([UInt8]) -> Void
    ) async throws {
        try await reading {
            try await store.forEachInventoryRow(of: stream, pass: pass, newestFirst: newestFirst, body)
        }
    }
    package func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        try await reading { try await store.refusals(of: stream) }
    }
    package func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter] {
        try await reading { try await store.deadLetters(filter) }
    }
    package func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize {
        try await reading { try await store.deadLetterSize(of: connection) }
    }
    package func deadLetter(_ id: Int64) async throws -> StoredDeadLetter? {
        try await reading { try await store.deadLetter(id) }
    }
    package func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch] {
        try await reading { try await store.outbox(of: stream, after: after, limit: limit) }
    }
    package func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch? {
        try await reading { try await store.outboxBatch(id) }
    }
    package func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox] {
        try await reading { try await store.outboxes(of: connection) }
    }
    package func outboxSize(of stream: StreamID?) async throws -> OutboxSize {
        try await reading { try await store.outboxSize(of: stream) }
    }
    package func keptToken(of connection: ConnectionID) async throws -> KeptToken? {
        try await reading { try await store.keptToken(of: connection) }
    }
    package func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun] {
        try await reading { try await store.runs(of: connection, limit: limit) }
    }
    package func run(_ id: Int64) async throws -> StoredRun? { try await reading { try await store.run(id) } }
    package func serverNotes() async throws -> [ServerNote] { try await reading { try await store.serverNotes() } }
    package func serverNote(_ name: String) async throws -> ServerNote? {
        try await reading { try await store.serverNote(name) }
    }

    package func grant(_ id: GrantID) async throws -> StoredGrant? { try await reading { try await store.grant(id) } }
    package func lockGrant(_ id: GrantID) async throws -> ConnectionLease? {
        try await reading { try await store.lockGrant(id) }
    }
    package func makeDue(_ connection: ConnectionID, at time: Int64) async throws -> Bool {
        try await writing("make \(connection) due") { try await store.makeDue(connection, at: time) }
    }
    package func claimRenewals(at now: Int64, until: Int64, limit: Int) async throws -> [DueRenewal] {
        try await writing("claim renewals") { try await store.claimRenewals(at: now, until: until, limit: limit) }
    }
    package func endRenewal(_ renewal: DueRenewal, _ end: RenewalEnd) async throws {
        try await writing("end renewal of \(renewal.grant)") { try await store.endRenewal(renewal, end) }
    }
    package func nextRenewal() async throws -> Int64? { try await reading { try await store.nextRenewal() } }
    package func setup(of connection: ConnectionID) async throws -> ConnectionSetup? {
        try await reading { try await store.setup(of: connection) }
    }
    package func nextDue() async throws -> Int64? { try await reading { try await store.nextDue() } }
    package func plannedSetups(after name: String, limit: Int) async throws -> [PlannedSetup] {
        try await reading { try await store.plannedSetups(after: name, limit: limit) }
    }
    package func audit(of connection: ConnectionID) async throws -> [AuditEntry] {
        try await reading { try await store.audit(of: connection) }
    }

    package func session(_ hash: [UInt8], at now: Int64) async throws -> StoredSession? {
        try await reading { try await store.session(hash, at: now) }
    }
    package func apiKey(_ hash: [UInt8]) async throws -> StoredAPIKey? {
        try await reading { try await store.apiKey(hash) }
    }
    package func hostAudit() async throws -> [AuditEntry] { try await reading { try await store.hostAudit() } }
    package func apiKeys() async throws -> [StoredAPIKey] { try await reading { try await store.apiKeys() } }
    package func link(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink? {
        try await reading { try await store.link(hash, at: now) }
    }

    // MARK: - Writes

    package func openConnection(_ id: ConnectionID, plug: String, pda: String) async throws -> Connection {
        try await writing("open \(id)") { try await store.openConnection(id, plug: plug, pda: pda) }
    }
    package func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt? {
        try await writing("erase \(id)") { try await store.eraseConnection(id) }
    }
    package func openRun(_ start: RunStart, plug: String, pda: String, streams: [String]) async throws -> OpenedRun {
        try await writing("open run of \(start.connection)") {
            try await store.openRun(start, plug: plug, pda: pda, streams: streams)
        }
    }
    package func commit(_ commit: StreamCommit) async throws {
        try await writing("commit \(commit.stream)") { try await store.commit(commit) }
    }
    package func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws {
        try await writing("settle \(commit.stream)") { try await store.settle(batch, leaving: rest, with: commit) }
    }
    package func removeDeadLetters(_ ids: [Int64]) async throws -> Int {
        try await writing("remove letters") { try await store.removeDeadLetters(ids) }
    }
    package func renewDeadLetter(_ id: Int64, reason: String) async throws {
        try await writing("renew letter") { try await store.renewDeadLetter(id, reason: reason) }
    }
    package func removeOutboxBatches(_ ids: [Int64]) async throws -> Int {
        try await writing("remove batches") { try await store.removeOutboxBatches(ids) }
    }
    package func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws {
        try await writing("keep token of \(connection)") { try await store.keepToken(token, of: connection) }
    }
    package func keepGrant(
        _ content: Secret,
        as id: GrantID,
        replacing version: Int64?,
        renewal: GrantRenewal
    ) async throws -> Int64? {
        try await writing("keep grant \(id)") {
            try await store.keepGrant(content, as: id, replacing: version, renewal: renewal)
        }
    }
    package func addConnection(
        _ id: ConnectionID,
        plug: String,
        pda: String,
        token: KeptToken?,
        setup: ConnectionSetup,
        _ change: AuditEntry
    ) async throws -> Connection? {
        try await writing("add \(id)") {
            try await store.addConnection(id, plug: plug, pda: pda, token: token, setup: setup, change)
        }
    }
    package func connectionsChanged(since place: Int64?) async throws -> (connections: [Connection], place: Int64) {
        try await store.connectionsChanged(since: place)
    }
    package func keepSetup(
        _ setup: ConnectionSetup,
        of connection: ConnectionID,
        _ change: AuditEntry
    ) async throws {
        try await writing("keep set-up of \(connection)") { try await store.keepSetup(setup, of: connection, change) }
    }
    package func changeSetup(
        of connection: ConnectionID,
        status: ConnectionSetup.Status,
        dueAt: Int64?,
        _ change: AuditEntry
    ) async throws -> Bool {
        try await writing("change set-up of \(connection)") {
            try await store.changeSetup(of: connection, status: status, dueAt: dueAt, change)
        }
    }
    package func claimDue(_ wish: ClaimWish) async throws -> DueClaims {
        try await writing("claim") { try await store.claimDue(wish) }
    }
    package func extendClaim(_ claim: DueClaim, until: Int64) async throws -> Bool {
        try await writing("extend claim of \(claim.connection)") { try await store.extendClaim(claim, until: until) }
    }
    package func endClaim(
        _ claim: DueClaim,
        _ end: ClaimEnd
    ) async throws -> Bool {
        try await writing("end claim of \(claim.connection)") {
            try await store.endClaim(claim, end)
        }
    }
    package func releaseClaims(at now: Int64) async throws -> ReleasedClaims {
        try await writing("release claims") { try await store.releaseClaims(at: now) }
    }
    package func reschedule(_ setups: [PlannedSetup]) async throws -> Int {
        try await writing("reschedule") { try await store.reschedule(setups) }
    }
    package func noteChange(_ change: AuditEntry, of connection: ConnectionID) async throws {
        try await writing("note a change of \(connection)") { try await store.noteChange(change, of: connection) }
    }
    package func beginRun(_ run: RunStart) async throws -> Int64 {
        try await writing("begin run of \(run.connection)") { try await store.beginRun(run) }
    }
    package func endRun(_ id: Int64, outcome: String, report: [UInt8], tally: RunTally) async throws {
        try await writing("end run") { try await store.endRun(id, outcome: outcome, report: report, tally: tally) }
    }
    package func changeServerNote(
        _ name: String,
        _ change: @escaping @Sendable (ServerNote?) -> ServerNote?
    ) async throws {
        try await writing("change a server note") { try await store.changeServerNote(name, change) }
    }
    package func keepServerNotes(_ notes: [ServerNote]) async throws {
        try await writing("keep server notes") { try await store.keepServerNotes(notes) }
    }
    package func keepConsent(_ consent: StoredConsent) async throws {
        try await writing("keep consent") { try await store.keepConsent(consent) }
    }
    package func takeConsent(_ name: [UInt8], session: [UInt8]) async throws -> ConsentTaking {
        try await writing("take consent") { try await store.takeConsent(name, session: session) }
    }
    package func changeConsent(_ consent: StoredConsent) async throws -> StoredConsent? {
        try await writing("change consent") { try await store.changeConsent(consent) }
    }
    package func beginSession(_ session: StoredSession, replacing old: [UInt8]?) async throws {
        try await writing("begin a session") { try await store.beginSession(session, replacing: old) }
    }
    package func extendSession(_ hash: [UInt8], seenAt: Int64, endsAt: Int64) async throws -> Bool {
        try await writing("extend a session") {
            try await store.extendSession(hash, seenAt: seenAt, endsAt: endsAt)
        }
    }
    package func endSession(_ hash: [UInt8]) async throws -> Bool {
        try await writing("end a session") { try await store.endSession(hash) }
    }
    package func addAPIKey(_ key: StoredAPIKey, _ change: AuditEntry) async throws -> Bool {
        try await writing("add key \(key.name)") { try await store.addAPIKey(key, change) }
    }
    package func removeAPIKey(_ name: String, _ change: AuditEntry) async throws -> Bool {
        try await writing("remove key \(name)") { try await store.removeAPIKey(name, change) }
    }
    package func noteUse(ofAPIKey name: String, at: Int64) async throws {
        try await writing("note use of key \(name)") { try await store.noteUse(ofAPIKey: name, at: at) }
    }
    package func keepLink(_ link: OneTimeLink, _ change: AuditEntry) async throws {
        try await writing("keep a link") { try await store.keepLink(link, change) }
    }
    package func takeLink(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink? {
        try await writing("take a link") { try await store.takeLink(hash, at: now) }
    }
}
