/// Which grants are renewed although no run needs them, and when.
///
/// What all roles promise stands at `PlugStore`. When a grant is due `keepGrant` says. What is due is found by an index: it costs
/// nothing that there are many others.
package protocol RenewalStore: Sendable {
    /// Claims grants that are due, those that have waited longest first.
    ///
    /// - Parameters:
    ///   - now: What counts as due.
    ///   - until: When the claims end by themselves.
    ///   - limit: At most so many.
    func claimRenewals(at now: Int64, until: Int64, limit: Int) async throws -> [DueRenewal]

    /// Says how a renewal ended. What somebody else has made of the grant meanwhile counts, and stays.
    func endRenewal(_ renewal: DueRenewal, _ end: RenewalEnd) async throws

    /// When the next grant is due, `nil` where none is. A claimed one counts with the end of its claim.
    func nextRenewal() async throws -> Int64?
}
