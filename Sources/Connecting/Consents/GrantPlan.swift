package import OAuth
package import PlugCore
package import PlugFetch

/// A manifest's consent, as far as it is needed to keep the resulting grant.
package protocol GrantPlan: Sendable {
    /// The requested scopes.
    var scopes: [String] { get }

    /// The kept form of a consent, by which runs recognise it as theirs.
    func kept(_ grant: Grant) throws(PlugError) -> KeptGrant

    /// When the grant is refreshed even though no run needs it.
    func renewal(of grant: Grant, random: () -> Double) -> GrantRenewal
}
