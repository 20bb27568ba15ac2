public import LosslessJSON
public import PlugCore

/// Where a PDA learns which applications there are: the "exchange" of the reference server.
///
/// Definitions are bare Applications: the form without `setup`, `enabled` and `active`.
public protocol ApplicationDirectory: Sendable {
    /// The bare Application with an id, `nil` if the directory has none.
    ///
    /// - Throws: Anything where the directory cannot be asked; to the PDA the application is unknown then, as it is to the
    ///   reference server, and its tokens get a 403.
    func definition(of id: String) async throws -> JSONValue?

    /// Every bare Application, in the order in which the PDA shall list them.
    ///
    /// - Throws: Anything where the directory cannot be asked; the list is a 500 then.
    func definitions() async throws -> [JSONValue]

    /// Tells the directory that the owner set an application up.
    ///
    /// - Parameters:
    ///   - id: The application's id.
    ///   - token: A token of the PDA whose scope is `platform`.
    /// - Throws: Anything where it could not be told; setting up is a 500 then, with the application enabled already.
    func registerConsent(to id: String, token: Secret) async throws
}
