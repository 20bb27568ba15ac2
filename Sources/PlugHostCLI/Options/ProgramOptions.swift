internal import ArgumentParser
internal import CurlTransport
internal import HostConfiguration
internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// `--trust-programs`: what the operator says of the programs that plugs are read with.
struct ProgramOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Run the plug's program without a sandbox.",
            discussion:
                "It then can read all that you can read. The manifest cannot ask for this; do it for programs that you know."
        )
    )
    var trustPrograms = false

    /// What is lent to the programs of some plugs; `nil` where none of them has one.
    ///
    /// - Parameters:
    ///   - state: Names the folder with the host's configuration.
    ///   - policy: The rules for addresses.
    /// - Throws: What reading the configuration throws (78).
    func means(
        for manifests: [Manifest],
        in state: some StateFolderNaming,
        _ policy: NetworkPolicy,
        _ context: CommandContext
    ) throws(PlugError) -> ProgramMeans? {
        guard manifests.contains(where: { $0.program != nil }) else { return nil }
        let folder = try state.folder(context)
        var means = ProgramMeans(policy, try HostOptions.settings(in: folder, context), state: folder)
        if trustPrograms { means.trust = .all }
        return means
    }
}

extension ProgramMeans {
    /// What a host's configuration says.
    ///
    /// - Parameter state: The folder that remembers, which no program sees.
    init(_ policy: NetworkPolicy, _ settings: HostSettings, state: String) {
        self.init(policy)
        trust = .plugs(Set(settings.programs.trust.value))
        folders = settings.programs.folders.value
        hidden = [state]
    }
}
