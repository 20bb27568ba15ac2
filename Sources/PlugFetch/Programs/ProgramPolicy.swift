package import CurlTransport
internal import Programs

/// What a host provides to the programs of plugs.
package struct ProgramPolicy: Sendable {
    /// Programs that run without a sandbox: those of all plugs, or of some.
    package enum Trust: Sendable, Equatable {
        /// Those of every plug of this command.
        case all
        /// Those of plugs with these ids.
        case plugs(Set<String>)
    }

    /// The plugs whose programs the operator trusts.
    package var trust = Trust.plugs([])
    /// Folders that sandboxed programs may read besides their own.
    package var folders: [String] = []
    /// Files that no program may see: the state, the configuration.
    package var hidden: [String] = []
    /// Folders whose contents no program may see.
    package var guarded: [String] = []
    /// The rules for addresses of sources.
    package var network: EgressPolicy

    /// The means of a host whose transport has a policy.
    package init(_ policy: NetworkPolicy) { network = EgressPolicy(policy) }

    /// The permissions of a plug.
    func permissions(of plug: String) -> ProgramPermissions {
        var permissions = ProgramPermissions()
        permissions.areTrusted =
            switch trust {
            case .all: true
            case .plugs(let plugs): plugs.contains(plug)
            }
        (permissions.folders, permissions.hidden, permissions.guarded) = (folders, hidden, guarded)
        return permissions
    }
}
