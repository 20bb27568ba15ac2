internal import ArgumentParser
internal import CurlTransport
internal import HostConfiguration
internal import LosslessJSON
internal import PlugCore
internal import PlugHostWeb
internal import PlugStorage

/// `plughost operator link`
struct OperatorLinkCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Prints a link that logs an operator in, once.",
        usage: "plughost operator link [<name>] [<options>]",
        discussion: """
            The link works for 15 minutes, in one browser, on a host that runs with the
            same state. The operator's session ends after an hour without use, and after 12
            hours in any case. The name appears in the audit log; if the configuration has
            'operators', it must be one of them. The link leads to 'public_url', or to
            where the host of this state listens.

            Whoever has the link can see every connection: send it over a channel that
            nobody else reads.
            """
    )

    @Argument(help: ArgumentHelp("The operator's name.", valueName: "name"))
    var name: String?

    @OptionGroup var host: HostOptions

    @Flag(help: "Print one JSON object: link, operator, expires.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let result = try host.read(context)
        guard let settings = result.settings else {
            result.tell(in: context, isJSON: json)
            return result.status
        }
        let name = try Self.name(name, among: settings.operators.value)
        // A host may have been told on its own command line to listen elsewhere.
        let isGiven = settings.publicURL.origin != .default || host.listen != nil
        let listening = isGiven ? nil : RecordedAddress.origin(in: settings.state.value)
        let origin = listening ?? settings.publicURL.value?.origin ?? "http://\(settings.listen.value)"
        let store = try await SQLiteStore.open(
            folder: settings.state.value,
            access: .write(wait: .zero),
            keyFile: context.environment["PLUGHOST_KEY_FILE"],
            clock: context.clock
        )
        let expires = context.clock.now() + OperatorLinks.lifetime
        let link = try await lend(store, closing: { await $0.close() }) { store in
            try await OperatorLinks(store, clock: context.clock).make(for: name, at: origin)
        }
        let answer = JSONValue.members(
            ("link", .text(link.reveal())),
            ("operator", .text(name)),
            ("expires", .text(Timestamp(seconds: expires / 1_000_000).rfc3339))
        )
        answers(in: context).one(answer, text: link.reveal() + "\n")
        return .done
    }

    /// Who logs in; one of the configured operators, if there are any.
    private static func name(_ given: String?, among known: [String]) throws(PlugError) -> String {
        if known.isEmpty { return given ?? OperatorLinks.anyName }
        if given == nil, known.count == 1 { return known[0] }
        if let given, known.contains(given) { return given }
        throw PlugError(
            .operatorUnknown,
            given.map { "'\(DisplayText.escaped($0))' is not an operator of this host" }
                ?? "several operators are configured: name one of them",
            advice: "they are: \(known.map { DisplayText.escaped($0) }.joined(separator: ", "))"
        )
    }
}
