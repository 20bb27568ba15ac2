internal import ArgumentParser
internal import HostConfiguration
internal import PlugCore
internal import PlugStorage

/// Options among which `--state` names the folder that remembers.
///
/// Groups of options are not put into each other for it: in a debug build the parser's cost grows by four with each level.
protocol StateFolderNaming {
    var state: String? { get }
}

/// What `--state` says of itself.
private let stateHelp = ArgumentHelp(
    "The state folder (default: PLUGHOST_STATE, or ~/.local/state/plughost).",
    valueName: "dir"
)

/// `--state`: the folder that remembers, for commands that only read it.
struct StateFolderOption: ParsableArguments, StateFolderNaming {
    @Option(help: stateHelp)
    var state: String?
}

extension StateFolderNaming {
    /// The folder's path.
    func folder(_ context: CommandContext) throws(PlugError) -> String {
        if let state { return state }
        return try StateFolders.folder(context.environment)
    }

    /// Lends the store to read in it, beside writers.
    ///
    /// - Throws: `PlugError` `state-missing` (78) if a folder was named and holds no state, and what `work` throws.
    func withStoreToRead<Result>(
        _ context: CommandContext,
        _ work: (SQLiteStore) async throws -> Result
    ) async throws -> Result {
        // Without a name it may be the first command ever; a name that leads to nothing is misspelt.
        if state != nil { _ = try existing(context) }
        return try await lend(open(.read, context), closing: { await $0.close() }, to: work)
    }

    /// The path of a folder that holds a state.
    ///
    /// - Throws: `PlugError` `state-missing` (78).
    func existing(_ context: CommandContext) throws(PlugError) -> String {
        let folder = try folder(context)
        // A lock shows that there was one: what is wrong with it opening it will say.
        if Files.exists("\(folder)/plughost.db") || Files.exists("\(folder)/lock") { return folder }
        throw PlugError(
            .stateMissing,
            "there is no state in \(DisplayText.escaped(folder))",
            advice: "name the folder that 'plughost run --state DIR' wrote to"
        )
    }

    func open(_ access: StoreAccess, _ context: CommandContext) async throws(PlugError) -> SQLiteStore {
        try await SQLiteStore.open(
            folder: try folder(context),
            access: access,
            keyFile: context.environment["PLUGHOST_KEY_FILE"],
            clock: context.clock
        )
    }
}

/// `--state` and `--wait`: the folder that remembers, and how patient it is with others.
struct StateOptions: ParsableArguments, StateFolderNaming {
    @Option(help: stateHelp)
    var state: String?

    @Option(
        help: ArgumentHelp("How long to wait for another run of the connection, such as 10m.", valueName: "duration")
    )
    var wait = "0s"

    /// Lends the store to write in it, beside others.
    ///
    /// - Throws: `PlugError` `bad-wait` (usage), what `SQLiteStore.open` throws, and what `work` throws.
    func withStoreToWrite<Result>(
        _ context: CommandContext,
        _ work: (SQLiteStore) async throws -> Result
    ) async throws -> Result {
        try await lend(openToWrite(context), closing: { await $0.close() }, to: work)
    }

    /// Opens the store to write in it. Whoever opens it closes it: commands use `withStoreToWrite`.
    func openToWrite(_ context: CommandContext) async throws(PlugError) -> SQLiteStore {
        try await open(.write(wait: try patience()), context)
    }

    /// How long to wait.
    ///
    /// - Throws: `PlugError` `bad-wait` (usage).
    func patience() throws(PlugError) -> Duration {
        if let wait = HumanDuration.parse(wait) { return wait }
        throw PlugError(
            .badWait,
            "'\(DisplayText.escaped(wait))' is not a duration",
            advice: "write --wait 30s, 10m or 1h"
        )
    }
}
