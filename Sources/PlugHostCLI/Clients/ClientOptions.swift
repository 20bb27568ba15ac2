internal import ArgumentParser
internal import HostConfiguration
internal import OAuth
internal import PlugCore
internal import PlugManifest

/// `--client-id`, `--client-secret` and `--providers`: the OAuth clients that the operator has registered.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .customLong("client-id"),
        help: ArgumentHelp("The OAuth client's id for this plug's provider.", valueName: "id")
    )
    var clientID: String?

    @Option(help: ArgumentHelp("A file with the OAuth client's secret.", valueName: "@file"))
    var clientSecret: String?

    @Option(
        help: ArgumentHelp(
            "A file of OAuth clients (default: plughost.yaml and providers.yaml in the state folder).",
            valueName: "file"
        )
    )
    var providers: String?

    /// The files that it names.
    var files: [String] {
        [providers, clientSecret.map { String($0.drop { $0 == "@" }) }].compactMap(\.self)
    }

    /// The clients of these plugs' providers: from the options, else the environment, else the file that is named, or the files
    /// of the state folder's host. One that is nowhere is left out: it is reported when it is needed.
    ///
    /// - Parameter state: Names the folder with the default files.
    /// - Throws: `PlugError` `client-option` (usage), `configuration-invalid`, `providers-open`, `providers-malformed`, `file-…`
    ///   (78).
    func clients(
        of manifests: [Manifest],
        in state: some StateFolderNaming,
        _ context: CommandContext
    ) throws(PlugError) -> [String: ClientIdentity] {
        let wanted = Set(manifests.flatMap(\.authorization.providers))
        if clientID == nil, clientSecret != nil {
            throw Self.misused("--client-secret is given without --client-id")
        }
        if clientID != nil, wanted.count != 1 {
            throw Self.misused(
                "--client-id is one provider's, and the plug uses \(wanted.isEmpty ? "none" : "several")"
            )
        }
        // Secrets that are not needed are not read.
        if wanted.isEmpty, providers == nil { return [:] }
        let folder = try state.folder(context)
        let file = try providers.flatMap { path throws(PlugError) in try ClientFile(named: path, folder: folder) }
        let known =
            file == nil && clientID == nil
            ? try HostOptions.clients(in: folder, file: state.config, context) : HostClients.none
        var clients: [String: ClientIdentity] = [:]
        for provider in wanted.sorted() {
            if let clientID {
                clients[provider] = ClientIdentity(id: clientID, secret: try secret())
            } else if let client = try ClientVariables(provider).client(context.environment) {
                clients[provider] = client
            } else if let client = try file?.client(provider) ?? known.client(provider)?.value {
                clients[provider] = client
            }
        }
        return clients
    }

    private func secret() throws(PlugError) -> Secret? {
        guard let clientSecret else { return nil }
        // The text may be the secret itself: it is not repeated.
        guard clientSecret.hasPrefix("@") else {
            throw Self.misused("everybody on this machine can read a command line, and this one has a secret")
        }
        return Secret(try Files.secret(String(clientSecret.dropFirst()), failing: .configuration))
    }

    private static func misused(_ message: String) -> PlugError {
        PlugError(.clientOption, message, advice: "write --client-id ID --client-secret @FILE, for one plug")
    }
}
