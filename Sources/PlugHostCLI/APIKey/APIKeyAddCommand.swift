internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugHostWeb
internal import PlugStorage

/// `plughost apikey add`
struct APIKeyAddCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Makes a key and prints it, once.",
        usage: "plughost apikey add <name> --scope <scope> ... [<options>]",
        discussion: """
            Only its hash is stored: if the key is lost, make another. It works at once,
            even on a running host. The audit log names the key for everything it changes.

            Scopes:
              plugs:read          see the plugs
              connections:read    see connections, their runs and changes
              connections:write   make, change, pause, resume and run connections
              connections:erase   erase connections
              metrics:read        read the host's metrics (GET /metrics)
            """
    )

    @Argument(help: ArgumentHelp("What the key is for.", valueName: "name"))
    var name: String

    @Option(name: .customLong("scope"), help: ArgumentHelp("What it may do. Repeatable.", valueName: "scope"))
    var scopes: [String] = []

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: name, key, scopes.")
    var json = false

    func validate() throws {
        let known = APIScope.allCases.map(\.rawValue)
        if scopes.isEmpty { throw ValidationError("name what it may do: --scope \(known.joined(separator: ", "))") }
        for scope in scopes where !known.contains(scope) {
            let help = Spelling.question(scope, in: known) ?? "scopes are: \(known.joined(separator: ", "))"
            throw ValidationError("there is no scope '\(DisplayText.escaped(scope))'; \(help)")
        }
        let isName = (1...100).contains(name.utf8.count) && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        guard isName else { throw ValidationError("a name has 1 to 100 bytes, without spaces") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let wanted = Set(scopes.compactMap(APIScope.init))
        let key = try await state.withStoreToWrite(context) { store in
            try await APIKeys(store, clock: context.clock).add(name, wanted)
        }
        guard let key else {
            throw PlugError(
                .apiKeyExists,
                "there is already a key '\(DisplayText.escaped(name))'",
                advice: "choose another name, or remove it with 'plughost apikey remove'"
            )
        }
        let answer = JSONValue.members(
            ("name", .text(name)),
            ("key", .text(key.reveal())),
            ("scopes", .array(wanted.map(\.rawValue).sorted().map { .text($0) }))
        )
        answers(in: context).one(answer, text: key.reveal() + "\n")
        if !json { context.errors.write("keep it now: it cannot be shown again\n") }
        return .done
    }
}
