internal import PlugCore
package import PlugStorage

extension MemoryStore {
    /// A consent, and whether it was answered.
    struct KeptConsent {
        var consent: StoredConsent
        var isUsed = false
    }

    /// See `PlugStore`.
    package func keepConsent(_ consent: StoredConsent) throws {
        if let connection = consent.connection { try require(connection) }
        consents.removeAll { $0.consent.endsAt <= clock.now() - StoredConsent.memory }
        let own = consents.indices.filter { consents[$0].consent.session == consent.session }
        for index in own.dropLast(StoredConsent.limitOfSession - 1).reversed() { consents.remove(at: index) }
        guard consents.count < StoredConsent.limit else { throw StoreErrors.consentsFull() }
        consents.append(KeptConsent(consent: consent))
    }

    /// See `PlugStore`.
    package func consent(_ name: [UInt8]) -> StoredConsent? {
        consents.first { $0.consent.name == name && isWaiting($0) }?.consent
    }

    /// See `PlugStore`.
    package func takeConsent(_ name: [UInt8], session: [UInt8]) -> ConsentTaking {
        let found = consents.firstIndex { $0.consent.name == name && $0.consent.session == session }
        guard let index = found else { return .foreign }
        guard !consents[index].isUsed else { return .used }
        guard isWaiting(consents[index]) else { return .late }
        consents[index].isUsed = true
        return .taken(consents[index].consent)
    }

    /// See `PlugStore`.
    package func changeConsent(_ consent: StoredConsent) -> StoredConsent? {
        let found = consents.firstIndex {
            $0.consent.name == consent.name && $0.consent.version == consent.version && isWaiting($0)
        }
        guard let index = found else { return nil }
        (consents[index].consent.content, consents[index].consent.pollAt) = (consent.content, consent.pollAt)
        consents[index].consent.version += 1
        return consents[index].consent
    }

    /// See `PlugStore`.
    package func consentsToPoll(limit: Int) -> [StoredConsent] {
        let now = clock.now()
        let due = consents.filter { isWaiting($0) && ($0.consent.pollAt ?? .max) <= now }.map(\.consent)
        return Array(due.sorted { ($0.pollAt ?? 0) < ($1.pollAt ?? 0) }.prefix(limit))
    }

    private func isWaiting(_ kept: KeptConsent) -> Bool { !kept.isUsed && clock.now() < kept.consent.endsAt }
}

extension ForwardingStore {
    package func consent(_ name: [UInt8]) async throws -> StoredConsent? {
        try await reading { try await store.consent(name) }
    }
    package func consentsToPoll(limit: Int) async throws -> [StoredConsent] {
        try await reading { try await store.consentsToPoll(limit: limit) }
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
}
