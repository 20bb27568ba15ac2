public import LosslessJSON
public import PlugCore

/// The application as a PDA's directory lists it: the bare Application object, built from a manifest.
public enum ApplicationDefinition {
    /// Builds the definition.
    ///
    /// - Parameters:
    ///   - manifest: The plug.
    ///   - base: Where this host is reached, such as `https://plugs.example.org`.
    ///   - severity: `error` where the definition is needed (`application`, `serve`, `sandbox`), else `warning`.
    /// - Returns: The definition, without what is missing, and a finding for each thing that is missing or wrong.
    public static func build(
        _ manifest: Manifest,
        base: String,
        severity: Diagnostic.Severity = .error
    ) -> (definition: JSONValue, diagnostics: [Diagnostic]) {
        (.null, [])
    }
}
