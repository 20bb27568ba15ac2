internal import PlugCore

/// The paths of an application directory, as the reference server asks for them.
public enum DirectoryRoute {
    /// GET: `{"data": [Application, …]}`. POST: registers an application.
    public static let applications = "/api/v3/applications"

    /// GET: one bare Application. PUT: changes it.
    public static func application(_ id: String) -> String { "\(applications)/\(PercentEncoding.segment(id))" }

    /// GET with a platform token of the PDA: its owner set the application up.
    public static func registerConsent(_ id: String) -> String {
        "/api/v3/users/register-consent/\(PercentEncoding.segment(id))"
    }
}
