package import LosslessJSON
package import PDAWire
package import PlugCore

/// Two directories as one: a host's own plugs, then the applications of a directory that it extends.
///
/// A PDA has one directory and refuses the tokens of applications that it cannot resolve there. So a host that becomes a PDA's
/// directory without the previous one breaks its owner's other applications.
package struct MergedDirectory: ApplicationDirectory {
    private let own: any ApplicationDirectory
    private let upstream: any ApplicationDirectory

    /// Puts `own` before `upstream`; `own` has precedence for an id that both have.
    package init(own: any ApplicationDirectory, upstream: any ApplicationDirectory) {
        self.own = own
        self.upstream = upstream
    }

    /// The definition in `own`, else the one in `upstream`.
    package func definition(of id: String) async throws -> JSONValue? {
        if let definition = try await own.definition(of: id) { return definition }
        return try await upstream.definition(of: id)
    }

    /// Both lists. This fails if `upstream` cannot be asked: half a list would look as if its applications were gone.
    package func definitions() async throws -> [JSONValue] {
        let first = try await own.definitions()
        let known = Set(first.compactMap { $0["id"]?.stringText })
        return first + (try await upstream.definitions()).filter { !known.contains($0["id"]?.stringText ?? "") }
    }

    /// Consents to own applications stay here; consents to the others are reported to their directory.
    package func registerConsent(to id: String, token: Secret) async throws {
        if try await own.definition(of: id) != nil { return try await own.registerConsent(to: id, token: token) }
        try await upstream.registerConsent(to: id, token: token)
    }
}
