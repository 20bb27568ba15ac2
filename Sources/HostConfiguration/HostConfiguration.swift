package import PlugCore
internal import PlugManifest

/// Reads the configuration of a host: `plughost.yaml`, variables and options, in order of increasing precedence.
package enum HostConfiguration {
    /// Where to look.
    package struct Sources: Sendable {
        /// The file of `--config`; `nil` for `PLUGHOST_CONFIG`, or else `plughost.yaml` in the state folder.
        package var file: String?
        /// The values from the command line.
        package var options: [HostOption: String]
        /// The environment variables.
        package var environment: [String: String]

        /// Places to look.
        package init(file: String? = nil, options: [HostOption: String] = [:], environment: [String: String]) {
            self.file = file
            self.options = options
            self.environment = environment
        }
    }

    /// Reads everything. It opens only the file, the secrets that it names, and the folders of plugs.
    ///
    /// - Throws: `PlugError` `file-…`, `state-nowhere`, and the errors of `providers.yaml` and of the variables of OAuth clients
    ///   (78). Everything else that is wrong is in the result.
    package static func read(_ sources: Sources) throws(PlugError) -> HostConfigurationResult {
        let (path, isThere) = try file(sources)
        guard isThere else { return try read(nil, sources, path: path) }
        // More than is allowed, so that the reader reports it.
        let bytes = try Files.read(path, limit: 1 << 20, failing: .configuration)
        return try read(HostLayer(file: path, bytes: bytes), sources, path: path)
    }

    /// The same for a file that has already been read.
    static func read(
        _ file: HostLayer?,
        _ sources: Sources,
        path: String
    ) throws(PlugError) -> HostConfigurationResult {
        let variables = ConfigurationKey.all.compactMap { key -> HostLayer? in
            guard let name = key.variable, let text = sources.environment[name], !text.isEmpty else { return nil }
            return HostLayer(key, variable: name, text)
        }
        let options = ConfigurationKey.all.compactMap { key in
            key.option.flatMap { option in sources.options[option].map { HostLayer(key, option: option, $0) } }
        }
        let layers = [file].compactMap(\.self) + variables + options
        let settings = try HostBuilder(layers: layers).settings(sources.environment)
        let findings = layers.map { layer in
            HostConfigurationResult.Findings(
                name: layer.name,
                text: layer.text,
                diagnostics: layer.findings.sorted,
                isOption: HostOption(rawValue: layer.name) != nil
            )
        }
        return HostConfigurationResult(settings: settings, file: path, isThere: file != nil, findings: findings)
    }

    /// Which file to read, and whether it exists. One that was named must exist.
    private static func file(_ sources: Sources) throws(PlugError) -> (path: String, isThere: Bool) {
        if let file = sources.file { return (file, true) }
        if let file = sources.environment["PLUGHOST_CONFIG"], !file.isEmpty { return (file, true) }
        let folder =
            if let state = sources.options[.state] { state } else { try StateFolders.folder(sources.environment) }
        let path = folder.hasSuffix("/") ? "\(folder)plughost.yaml" : "\(folder)/plughost.yaml"
        return (path, Files.exists(path))
    }
}

/// The result of reading the configuration: the settings if there is no error, and all findings.
package struct HostConfigurationResult: Sendable {
    /// The settings; `nil` if any finding is an error.
    package let settings: HostSettings?
    /// The file that was looked for.
    package let file: String
    /// Whether it exists.
    package let isThere: Bool
    /// The findings, for each source that sets something.
    package let findings: [Findings]

    /// The findings in one source.
    package struct Findings: Sendable {
        /// The file, the variable or the option.
        package let name: String
        /// Its text, with secrets hidden.
        package let text: String
        /// The findings, sorted by position.
        package let diagnostics: [Diagnostic]
        /// Whether it is the command line.
        let isOption: Bool

        /// Whether any of it is an error.
        fileprivate var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    }

    /// A command's exit status for these findings: a usage error if only the command line is wrong.
    package var status: ExitStatus {
        let wrong = findings.filter(\.hasErrors)
        if wrong.isEmpty { return .done }
        return wrong.allSatisfy(\.isOption) ? .usage : .configuration
    }
}
