public import LosslessJSON
public import PlugCore

/// Where a PDA looks up which applications exist: the "exchange" of the reference server.
///
/// Definitions are bare Applications: the form without `setup`, `enabled` and `active`.
public protocol ApplicationDirectory: Sendable {
    /// The bare Application with an id, `nil` if the directory has none.
    ///
    /// - Throws: Any error if the directory cannot be reached; to the PDA the application is then unknown, as it is to the
    ///   reference server, and its tokens get a 403.
    func definition(of id: String) async throws -> JSONValue?

    /// Every bare Application, in the order in which the PDA is to list them.
    ///
    /// - Throws: Any error if the directory cannot be reached; the list is then a 500.
    func definitions() async throws -> [JSONValue]

    /// Tells the directory that the owner set an application up.
    ///
    /// - Parameters:
    ///   - id: The application's id.
    ///   - token: A token of the PDA whose scope is `platform`.
    /// - Throws: Any error if the directory could not be told; setting up is then a 500, with the application already enabled.
    func registerConsent(to id: String, token: Secret) async throws
}
