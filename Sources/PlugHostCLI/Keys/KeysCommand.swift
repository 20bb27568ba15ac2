internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStore

/// `plughost keys`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "The key that the state is sealed with.",
        discussion: """
            Examples:
              plughost keys rotate
              plughost keys rotate --new-key-file /etc/plughost/key.new
            """,
        subcommands: [KeysRotateCommand.self]
    )
}

/// `plughost keys rotate`
struct KeysRotateCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Seals the state with another host key.",
        usage: "plughost keys rotate [<options>]",
        discussion: """
            Every connection has a data key of its own; these are wrapped anew, with
            notes about servers, in one step. Nobody else may use the state meanwhile.
            Killed at any moment, the state is whole under the old key or the new one;
            run it again to go on.

            A key in the state folder is replaced. One from PLUGHOST_KEY_FILE or the
            service manager's credentials stays where it is: make the new one, name it
            here, and put it into the old one's place before anything else runs.

            Backups of the database need the key that was in place when they were made.
            """
    )

    @OptionGroup var state: StateOptions

    @Option(help: ArgumentHelp("The new key: 64 hex digits (openssl rand -hex 32).", valueName: "file"))
    var newKeyFile: String?

    @Flag(help: "Print one JSON object: old_key, new_key, connections, notes, key_file.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let receipt = try await SQLiteStore.rotateKey(
            folder: try state.existing(context),
            wait: try state.patience(),
            keyFile: context.environment["PLUGHOST_KEY_FILE"],
            newKeyFile: newKeyFile,
            clock: context.clock
        )
        if json {
            context.answer(receipt.json)
            return .done
        }
        let keys = receipt.connections == 1 ? "1 connection" : "\(receipt.connections) connections"
        let file = DisplayText.escaped(receipt.keyFile)
        context.output.write("sealed the keys of \(keys) anew: key \(receipt.newKey) in \(file)\n")
        if newKeyFile != nil {
            context.errors.write(
                "put \(file) where the old key is, or name it with PLUGHOST_KEY_FILE, before any other run\n"
            )
        }
        return .done
    }
}

extension RotationReceipt {
    fileprivate var json: JSONValue {
        .members(
            ("old_key", .text(oldKey)),
            ("new_key", .text(newKey)),
            ("connections", .integer(connections)),
            ("notes", .integer(notes)),
            ("key_file", .text(keyFile))
        )
    }
}
