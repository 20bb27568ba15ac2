/// Pending requests to people for consent.
///
/// `PlugStore` states what all roles promise, except that a damaged consent counts as absent: the person is asked again.
///
/// SQLite: `SQLiteStore+Consents.swift`.
package protocol ConsentStore: Sendable {
    /// Keeps a consent. If the browser has `StoredConsent.limitOfSession`, its oldest is removed, as are consents that ended more
    /// than `StoredConsent.memory` ago.
    ///
    /// - Throws: `consents-full` (75) if the host has `StoredConsent.limit`; `connection-unknown`.
    func keepConsent(_ consent: StoredConsent) async throws

    /// A pending consent; `nil` if there is none.
    func consent(_ name: [UInt8]) async throws -> StoredConsent?

    /// Takes a consent to answer it, which is possible only once.
    ///
    /// - Parameter session: The hash of the answering browser's session.
    func takeConsent(_ name: [UInt8], session: [UInt8]) async throws -> ConsentTaking

    /// Changes the content of a consent, and when its service is next asked.
    ///
    /// - Parameter consent: With the version that was read.
    /// - Returns: The consent with its new version; `nil` if it was changed or taken in the meantime, or has expired.
    func changeConsent(_ consent: StoredConsent) async throws -> StoredConsent?

    /// Consents whose services should be asked now, longest waiting first.
    func consentsToPoll(limit: Int) async throws -> [StoredConsent]
}
