package import OAuth
package import PlugCore
package import PlugFetch

/// What a manifest says of a consent, as far as it is needed to keep what the consent gave.
package protocol GrantPlan: Sendable {
    /// What is asked for.
    var scopes: [String] { get }

    /// What is kept of a consent, so that runs know it for theirs.
    func kept(_ grant: Grant) throws(PlugError) -> KeptGrant

    /// When the grant is refreshed although no run needs it.
    func renewal(of grant: Grant, random: () -> Double) -> GrantRenewal
}
