package import CurlTransport
package import PlugCore
package import PlugManifest
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

    /// Why the program of a plug cannot start here, as far as that shows without starting it; `nil` if nothing is known
    /// against it, or the plug has none.
    package func fault(of manifest: Manifest) -> PlugError? {
        guard let program = manifest.program, let command = program.command.first else { return nil }
        do throws(PlugError) {
            try checkTrust(manifest.id, program.trust)
            try ProgramLookup.check(command, in: WholeFile.folder(of: manifest.source.path))
            return nil
        } catch { return error }
    }

    /// - Throws: `PlugError` `program-not-trusted`.
    func checkTrust(_ plug: String, _ trust: ProgramSettings.Trust) throws(PlugError) {
        guard trust == .operator, !permissions(of: plug).areTrusted else { return }
        throw PlugError(
            .programNotTrusted,
            "the plug '\(plug)' has a program that runs only without a sandbox ('trust: operator'), and the operator of "
                + "this host has not allowed it",
            advice: "if you know and trust it: --trust-programs, or 'programs: {trust: [\(plug)]}' in plughost.yaml"
        )
    }

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
