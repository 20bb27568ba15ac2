package import CurlTransport

/// Where a sandboxed program may connect to.
package struct EgressRules: Sendable {
    /// Which addresses hosts may resolve to.
    package var policy: EgressPolicy
    /// Whether the plug names a host: its name, its port, `https` or `http`.
    package var names: @Sendable (_ host: String, _ port: Int, _ scheme: String) -> Bool
    /// The hosts, for messages.
    package var list: String

    /// Rules.
    package init(
        policy: EgressPolicy,
        list: String,
        names: @escaping @Sendable (_ host: String, _ port: Int, _ scheme: String) -> Bool
    ) {
        self.policy = policy
        self.list = list
        self.names = names
    }
}
