/// Grants that are renewed although no run needs them, and when.
///
/// `PlugStore` states what all roles promise. `keepGrant` sets when a grant is due. Due grants are found through an index, so the
/// number of others costs nothing.
///
/// SQLite: `SQLiteStore+Renewals.swift`.
package protocol RenewalStore: Sendable {
    /// Claims due grants, longest waiting first.
    ///
    /// - Parameters:
    ///   - now: The time up to which a grant counts as due.
    ///   - until: When the claims expire.
    ///   - limit: The maximum number.
    func claimRenewals(at now: Int64, until: Int64, limit: Int) async throws -> [DueRenewal]

    /// Records how a renewal ended. If the grant was changed in the meantime, that change stands.
    func endRenewal(_ renewal: DueRenewal, _ end: RenewalEnd) async throws

    /// When the next grant is due; `nil` if none is. A claimed one is due when its claim ends.
    func nextRenewal() async throws -> Int64?
}
