/// What people were asked for and have not answered yet.
///
/// What all roles promise stands at `PlugStore`, except that a damaged consent counts as none: the person is asked again.
package protocol ConsentStore: Sendable {
    /// Keeps a consent. The oldest of the same browser goes where it has `StoredConsent.limitOfSession`, and so do those that have
    /// ended more than `StoredConsent.memory` ago.
    ///
    /// - Throws: `consents-full` (75) where the host has `StoredConsent.limit`; `connection-unknown`.
    func keepConsent(_ consent: StoredConsent) async throws

    /// A consent that is still waited for, `nil` where there is none.
    func consent(_ name: [UInt8]) async throws -> StoredConsent?

    /// Takes a consent for its answer: once.
    ///
    /// - Parameter session: The hash of the session of the browser that answers.
    func takeConsent(_ name: [UInt8], session: [UInt8]) async throws -> ConsentTaking

    /// Changes what is kept of a consent, and when its service is asked next.
    ///
    /// - Parameter consent: With the version that was read.
    /// - Returns: It with its new version; `nil` where somebody else has changed or taken it, or its time is over.
    func changeConsent(_ consent: StoredConsent) async throws -> StoredConsent?

    /// Consents whose services are to be asked now, those that have waited longest first.
    func consentsToPoll(limit: Int) async throws -> [StoredConsent]
}
