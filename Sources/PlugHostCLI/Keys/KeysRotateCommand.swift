internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage
internal import Synchronization

/// `plughost keys rotate`
struct KeysRotateCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Encrypts the state with a new host key.",
        usage: "plughost keys rotate [<options>]",
        discussion: """
            Every connection has its own data key. This command encrypts all data keys and
            the notes about servers with the new key, some at a time. 'serve' and runs
            continue meanwhile. If the command is killed, nothing is lost: both keys are
            kept until the end, and the next call continues where it stopped; 'serve' does
            so by itself.

            A key in the state folder is replaced. A key from PLUGHOST_KEY_FILE or from the
            service manager's credentials is not: make the new key, name it here, and
            replace the old file with it when the command has finished.

            A backup of the database needs the key that was in use when it was made.
            """
    )

    @OptionGroup var state: StateOptions

    @Option(help: ArgumentHelp("The new key: 64 hex digits (openssl rand -hex 32).", valueName: "file"))
    var newKeyFile: String?

    @Flag(help: "Print one JSON object: old_key, new_key, connections, notes, key_file.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let last = LastTold(context.clock)
        let receipt = try await state.withStoreToWrite(context) { store in
            try await store.rotateKey(to: newKeyFile) { progress in
                guard last.isLongAgo else { return }
                context.errors.write("\(progress.done) of \(progress.total) connections\n")
            }
        }
        let keys = receipt.connections.counted("connection")
        let file = DisplayText.escaped(receipt.keyFile)
        answers(in: context).one(
            receipt.json,
            text: "encrypted the keys of \(keys) with the new key \(receipt.newKey) in \(file)\n"
        )
        if newKeyFile != nil, !json {
            context.errors.write(
                "replace the old key with \(file), or name it with PLUGHOST_KEY_FILE, before anything else starts\n"
            )
        }
        return .done
    }
}

/// The time of the last progress report: one line every two seconds is enough.
private final class LastTold: Sendable {
    private let clock: any HostClock
    private let last: Mutex<Int64>

    init(_ clock: any HostClock) {
        self.clock = clock
        last = Mutex(clock.steady().microseconds)
    }

    /// Whether a report is due; it then counts as made.
    var isLongAgo: Bool {
        let now = clock.steady().microseconds
        return last.withLock { last in
            guard now - last >= 2_000_000 else { return false }
            last = now
            return true
        }
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
