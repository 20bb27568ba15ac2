internal import ArgumentParser
internal import HostConfiguration
internal import PlugCore
internal import PlugStorage

/// Options that include `--state` for the state folder.
///
/// Option groups are not nested for it: in a debug build the parser's cost grows fourfold with each level.
protocol StateFolderNaming {
    var state: String? { get }
    /// The host's configuration, which may name the folder; `nil` for `PLUGHOST_CONFIG`, or none.
    var config: String? { get }
}

/// The help of `--state`.
private let stateHelp = ArgumentHelp(
    "The state folder (default: PLUGHOST_STATE, or ~/.local/state/plughost).",
    valueName: "dir"
)

/// The help of `--config`.
private let configHelp = ArgumentHelp(
    "The host's configuration, which names the state folder (default: PLUGHOST_CONFIG).",
    valueName: "file"
)

/// `--state` and `--config`: the state folder, for commands that only read it.
struct StateFolderOption: ParsableArguments, StateFolderNaming {
    @Option(help: stateHelp)
    var state: String?

    @Option(help: configHelp)
    var config: String?
}

extension StateFolderNaming {
    /// The folder's path: what is named, else the folder of the host's configuration if that is named, else the default.
    ///
    /// - Throws: `PlugError` `state-nowhere`, the errors of `HostOptions.settings` (78).
    func folder(_ context: CommandContext) throws(PlugError) -> String {
        if let state { return state }
        let named = config ?? context.environment["PLUGHOST_CONFIG"] ?? ""
        if named.isEmpty { return try StateFolders.folder(context.environment) }
        return try HostOptions.settings(in: nil, file: config, context).state.value
    }

    /// Lends the store for reading, alongside writers.
    ///
    /// - Throws: `PlugError` `state-missing` (78) if a named folder holds no state, and the errors of `work`.
    func withStoreToRead<Result>(
        _ context: CommandContext,
        _ work: (SQLiteStore) async throws -> Result
    ) async throws -> Result {
        // If no folder is named, this may be the first command ever; a name that leads nowhere is misspelt.
        if state != nil || config != nil { _ = try existing(context) }
        return try await lend(open(.read, context), closing: { await $0.close() }, to: work)
    }

    /// The path of a folder that holds a state.
    ///
    /// - Throws: `PlugError` `state-missing` (78).
    func existing(_ context: CommandContext) throws(PlugError) -> String {
        let folder = try folder(context)
        // A lock shows that there was one: opening it reports what is wrong.
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

/// The help of `--wait`.
private let waitHelp = ArgumentHelp(
    "How long to wait for another run of the connection, such as 10m.",
    valueName: "duration"
)

/// `--state`, `--config` and `--wait`: the state folder, and how long to wait for other processes.
struct StateOptions: ParsableArguments, StateWriting {
    @Option(help: stateHelp)
    var state: String?

    @Option(help: configHelp)
    var config: String?

    @Option(help: waitHelp)
    var wait = "0s"
}

/// `--state` and `--wait`, for commands whose `--config` answers a plug's questions: only `PLUGHOST_CONFIG` names the host's
/// configuration.
struct PlugStateOptions: ParsableArguments, StateWriting {
    @Option(help: stateHelp)
    var state: String?

    @Option(help: waitHelp)
    var wait = "0s"

    var config: String? { nil }
}

/// Options with which a command writes to the state.
protocol StateWriting: StateFolderNaming {
    var wait: String { get }
}

extension StateWriting {
    /// Lends the store for writing, alongside others.
    ///
    /// - Throws: `PlugError` `bad-wait` (usage), and the errors of `SQLiteStore.open` and `work`.
    func withStoreToWrite<Result>(
        _ context: CommandContext,
        _ work: (SQLiteStore) async throws -> Result
    ) async throws -> Result {
        try await lend(openToWrite(context), closing: { await $0.close() }, to: work)
    }

    /// Opens the store for writing. The caller closes it: commands use `withStoreToWrite`.
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
