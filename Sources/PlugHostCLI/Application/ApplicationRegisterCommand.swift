internal import ArgumentParser
internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import PlugManifest

/// `plughost application register`
struct ApplicationRegisterCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Registers the application at the exchange that PDAs read.",
        discussion: """
            Use it for PDAs whose exchange is run by others. --update changes an
            application that is already registered. With --json: {"application",
            "version", "exchange", "status"}.
            """
    )

    @OptionGroup var application: ApplicationOptions

    @Option(help: ArgumentHelp("The exchange's address.", valueName: "url"))
    var exchange: String

    @Option(help: ArgumentHelp("The file with the developer's token for the exchange.", valueName: "file"))
    var tokenFile: String

    @Flag(help: "Change the registered definition instead of adding one.")
    var update = false

    @OptionGroup var network: NetworkOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    var takesInterruptions: Bool { true }
    func run(in context: CommandContext) async throws -> ExitStatus {
        guard let url = try? HTTPURL(exchange), url.query == nil, !exchange.contains("#") else {
            throw PlugError(
                .badHostAddress,
                "'\(DisplayText.escaped(exchange))' is not the address of an exchange",
                advice: "write --exchange https://dex.example"
            )
        }
        let manifest = try Manifests.load(application.path, in: context)
        let base = try application.checkedBase()
        let definition = try Applications.definition(of: manifest, base: base, .complete, in: context)
        let token = Secret(try Files.secret(tokenFile, failing: .authorisation))
        let status = try await network.withTransport(pda: url) { transport in
            let registration = Registration(exchange: url, token: token, transport: transport)
            return try await registration.send(definition, isUpdate: update)
        }
        let (id, version) = (manifest.id, manifest.version)
        answers(in: context).one(
            .members(
                ("application", .text(id)),
                ("version", .text(version)),
                ("exchange", .text(url.origin)),
                ("status", .integer(status))
            ),
            text: "\(update ? "changed" : "registered") '\(id)' \(version) at \(DisplayText.escaped(url.origin))\n"
        )
        return .done
    }
}
