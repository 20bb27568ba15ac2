package import PlugCore
internal import PlugManifest

/// Reads the configuration of a host: `plughost.yaml`, variables, options, in order of increasing weight.
package enum HostConfiguration {
    /// Where to look.
    package struct Sources: Sendable {
        /// The file of `--config`; `nil` for `PLUGHOST_CONFIG`, or else `plughost.yaml` in the state folder.
        package var file: String?
        /// What the command line says.
        package var options: [HostOption: String]
        /// The variables.
        package var environment: [String: String]

        /// Places to look.
        package init(file: String? = nil, options: [HostOption: String] = [:], environment: [String: String]) {
            self.file = file
            self.options = options
            self.environment = environment
        }
    }

    /// Reads everything. Nothing is opened but the file, the secrets that it names, and the folders of plugs.
    ///
    /// - Throws: `PlugError` `file-…`, `state-nowhere`, and those of `providers.yaml` and of the variables of OAuth clients
    ///   (78). Everything else that is wrong is in the result.
    package static func read(_ sources: Sources) throws(PlugError) -> HostConfigurationResult {
        let (path, isThere) = try file(sources)
        guard isThere else { return try read(nil, sources, path: path) }
        // More than may be, so that the reader says it.
        let bytes = try Files.read(path, limit: 1 << 20, failing: .configuration)
        return try read(HostLayer(file: path, bytes: bytes), sources, path: path)
    }

    /// The same with a file that was read.
    static func read(
        _ file: HostLayer?,
        _ sources: Sources,
        path: String
    ) throws(PlugError) -> HostConfigurationResult {
        let variables = HostKey.all.compactMap { key -> HostLayer? in
            guard let name = key.variable, let text = sources.environment[name], !text.isEmpty else { return nil }
            return HostLayer(key, variable: name, text)
        }
        let options = HostKey.all.compactMap { key in
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

    /// Which file to read, and whether it is there. One that was named has to be.
    private static func file(_ sources: Sources) throws(PlugError) -> (path: String, isThere: Bool) {
        if let file = sources.file { return (file, true) }
        if let file = sources.environment["PLUGHOST_CONFIG"], !file.isEmpty { return (file, true) }
        let folder =
            if let state = sources.options[.state] { state } else { try StateFolders.folder(sources.environment) }
        let usual = folder.hasSuffix("/") ? "\(folder)plughost.yaml" : "\(folder)/plughost.yaml"
        return (usual, Files.exists(usual))
    }
}

/// What reading the configuration gave: the settings if there is no error, and everything there is to say.
package struct HostConfigurationResult: Sendable {
    /// The settings; `nil` if any finding is an error.
    package let settings: HostSettings?
    /// The file that was looked for.
    package let file: String
    /// Whether there was one.
    package let isThere: Bool
    /// What was found, for each place that says something.
    package let findings: [Findings]

    /// What was found in one place.
    package struct Findings: Sendable {
        /// The file, the variable or the option.
        package let name: String
        /// Its text, without what is secret.
        package let text: String
        /// What was found, sorted by position.
        package let diagnostics: [Diagnostic]
        /// Whether the command line says it.
        let isOption: Bool

        /// Whether any of it is an error.
        fileprivate var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    }

    /// How a command ends because of it: that the command line is wrong if nothing else is.
    package var status: ExitStatus {
        let wrong = findings.filter(\.hasErrors)
        if wrong.isEmpty { return .done }
        return wrong.allSatisfy(\.isOption) ? .usage : .configuration
    }
}
