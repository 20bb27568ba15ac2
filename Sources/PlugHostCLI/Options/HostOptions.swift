internal import ArgumentParser
internal import HostConfiguration
internal import PlugCore

/// `--config`, `--state` and the options that take precedence over the file: the configuration of a host.
struct HostOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration (default: PLUGHOST_CONFIG, or plughost.yaml in the state folder).",
            valueName: "file"
        )
    )
    var config: String?

    @Option(
        help: ArgumentHelp("The state folder (default: PLUGHOST_STATE, or ~/.local/state/plughost).", valueName: "dir")
    )
    var state: String?

    @Option(help: ArgumentHelp("Where to listen; port 0 takes any free port.", valueName: "address:port"))
    var listen: String?

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp("How browsers and PDAs reach this host.", valueName: "url")
    )
    var publicURL: String?

    @Option(help: ArgumentHelp("A directory whose applications are listed besides the plugs.", valueName: "url"))
    var directoryUpstream: String?

    /// The effective configuration. Its errors are in the result.
    ///
    /// - Throws: The errors of `HostConfiguration.read`.
    func read(_ context: CommandContext) throws(PlugError) -> HostConfigurationResult {
        let said: [HostOption: String?] = [
            .listen: listen, .publicURL: publicURL, .state: state, .directoryUpstream: directoryUpstream,
        ]
        return try HostConfiguration.read(
            .init(file: config, options: said.compactMapValues(\.self), environment: context.environment)
        )
    }

    /// The OAuth clients of the host that owns a state folder, from its configuration and the files beside it.
    ///
    /// - Throws: `PlugError` `configuration-invalid`, and the errors of `HostConfiguration.read` (78).
    static func clients(
        in folder: String,
        file: String? = nil,
        _ context: CommandContext
    ) throws(PlugError) -> HostClients {
        try settings(in: folder, file: file, context).clients
    }

    /// The settings of the host that owns a state folder; throws as `clients(in:file:_:)` does.
    ///
    /// - Parameters:
    ///   - folder: The folder; `nil` for the one that the configuration names.
    ///   - file: The configuration; `nil` for `PLUGHOST_CONFIG`, or the one in the folder.
    static func settings(
        in folder: String?,
        file: String? = nil,
        _ context: CommandContext
    ) throws(PlugError) -> HostSettings {
        let options = folder.map { [HostOption.state: $0] } ?? [:]
        let source = HostConfiguration.Sources(file: file, options: options, environment: context.environment)
        let result = try HostConfiguration.read(source)
        if let settings = result.settings { return settings }
        result.tell(in: context)
        throw PlugError(
            .configurationInvalid,
            exit: .configuration,
            "the configuration of this host cannot be used",
            advice: "correct it, or name a file of OAuth clients with --providers FILE"
        )
    }
}
