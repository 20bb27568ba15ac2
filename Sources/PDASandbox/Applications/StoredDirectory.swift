internal import LosslessJSON
package import PDAWire
internal import PlugCore

extension SandboxStore {
    /// The definitions in the state folder, as a directory.
    package var directory: any ApplicationDirectory { StoredDirectory(store: self) }
}

/// The definitions in the sandbox's own state folder; consents are reported to no one.
struct StoredDirectory: ApplicationDirectory {
    let store: SandboxStore

    func definition(of id: String) async throws -> JSONValue? { try await store.definition(id) }
    func definitions() async throws -> [JSONValue] { try await store.definitions() }
    func registerConsent(to id: String, token: Secret) async throws {}
}
