internal import ArgumentParser
internal import CurlTransport
internal import LosslessJSON
internal import PlugCore

/// `plughost application`
struct ApplicationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "application",
        abstract: "How PDAs and their apps show a plug.",
        discussion: """
            A PDA sets up the applications that its directory lists. 'application:' in
            the manifest says how the plug appears there. These commands need all of it.

            Examples:
              plughost application validate Plugs
              plughost application show plug.yaml --base https://plugs.example
              plughost application register plug.yaml --base https://plugs.example \\
                --exchange https://dex.example --token-file developer-token
            """,
        subcommands: [
            ApplicationShowCommand.self, ApplicationValidateCommand.self, ApplicationExportCommand.self,
            ApplicationRegisterCommand.self,
        ]
    )
}

/// The manifest, and `--base`: the address at which a host serves it.
struct ApplicationOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("A manifest, or a folder with a plug.yaml.", valueName: "path"))
    var path: String

    @OptionGroup var host: ApplicationHostOption

    /// The bare Application, complete.
    func definition(in context: CommandContext) throws(PlugError) -> JSONValue {
        let manifest = try Manifests.load(path, in: context)
        return try Applications.definition(of: manifest, base: try checkedBase(), .complete, in: context)
    }

    /// The address in the form of a definition.
    func checkedBase() throws(PlugError) -> String? { try host.checkedBase() }
}

/// `--base`
struct ApplicationHostOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The host's address, for set-up and status checks. Without it the PDA does both itself.",
            valueName: "url"
        )
    )
    var base: String?

    /// The address in the form of a definition.
    ///
    /// - Throws: `PlugError` `bad-host-address` (usage).
    func checkedBase() throws(PlugError) -> String? {
        guard let base else { return nil }
        guard let url = try? HTTPURL(base), url.query == nil, !base.contains("#") else {
            throw PlugError(
                .badHostAddress,
                "'\(DisplayText.escaped(base))' is not the address of a host",
                advice: "write --base https://plugs.example"
            )
        }
        return base
    }
}
