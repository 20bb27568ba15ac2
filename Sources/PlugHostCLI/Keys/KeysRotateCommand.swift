internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost keys rotate`
struct KeysRotateCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Encrypts the state with a new host key.",
        usage: "plughost keys rotate [<options>]",
        discussion: """
            Every connection has its own data key. This command encrypts all data keys
            and the notes about servers with the new key, in one step. Nothing else may
            use the state meanwhile. If the command is killed, the state is intact under
            the old key or the new one; run it again to continue.

            A key in the state folder is replaced. A key from PLUGHOST_KEY_FILE or from
            the service manager's credentials is not: make the new key, name it here,
            and replace the old file with it before anything else runs.

            A backup of the database needs the key that was in use when it was made.
            """
    )

    @OptionGroup var state: StateOptions

    @Option(help: ArgumentHelp("The new key: 64 hex digits (openssl rand -hex 32).", valueName: "file"))
    var newKeyFile: String?

    @Flag(help: "Print one JSON object: old_key, new_key, connections, notes, key_file.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let receipt = try await SQLiteStore.rotateKey(
            folder: try state.existing(context),
            wait: try state.patience(),
            keyFile: context.environment["PLUGHOST_KEY_FILE"],
            newKeyFile: newKeyFile,
            clock: context.clock
        )
        let keys = receipt.connections == 1 ? "1 connection" : "\(receipt.connections) connections"
        let file = DisplayText.escaped(receipt.keyFile)
        answers(in: context).one(
            receipt.json,
            text: "encrypted the keys of \(keys) with the new key \(receipt.newKey) in \(file)\n"
        )
        if newKeyFile != nil, !json {
            context.errors.write(
                "replace the old key with \(file), or name it with PLUGHOST_KEY_FILE, before anything else runs\n"
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
