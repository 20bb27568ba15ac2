internal import ArgumentParser
internal import CurlTransport
internal import HostConfiguration
internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// `--trust-programs`: the operator's settings for plugs' programs.
struct ProgramOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Run the plug's program without a sandbox.",
            discussion:
                "It can then read everything that you can read. The manifest cannot ask for this; use it only for programs that you know."
        )
    )
    var trustPrograms = false

    /// The resources for some plugs' programs; `nil` if none of them has one.
    ///
    /// - Parameters:
    ///   - state: Names the folder with the host's configuration.
    ///   - policy: The rules for addresses.
    ///   - files: The command's files that no program may see.
    /// - Throws: The errors of reading the configuration (78).
    func means(
        for manifests: [Manifest],
        in state: some StateFolderNaming,
        _ policy: NetworkPolicy,
        hiding files: [String],
        _ context: CommandContext
    ) throws(PlugError) -> ProgramPolicy? {
        guard manifests.contains(where: { $0.program != nil }) else { return nil }
        let folder = try state.folder(context)
        let hidden = [folder] + files + context.hostFiles
        var means = ProgramPolicy(
            policy,
            try HostOptions.settings(in: folder, file: state.config, context),
            hiding: hidden
        )
        if trustPrograms { means.trust = .all }
        return means
    }
}

extension ProgramPolicy {
    /// The settings in a host's configuration.
    ///
    /// - Parameter hidden: What no program may see: the state folder, and files of the host and of people.
    init(_ policy: NetworkPolicy, _ settings: HostSettings, hiding hidden: [String]) {
        self.init(policy)
        trust = .plugs(Set(settings.programs.trust.value))
        folders = settings.programs.folders.value
        self.hidden = hidden + settings.privateFiles
    }
}

extension CommandContext {
    /// The host's files that its environment names: its configuration, its key, its passwords.
    var hostFiles: [String] {
        environment.filter { name, _ in
            name == "PLUGHOST_CONFIG" || name.hasPrefix("PLUGHOST_") && name.hasSuffix("_FILE")
        }.values.filter { !$0.isEmpty }.sorted()
    }
}
