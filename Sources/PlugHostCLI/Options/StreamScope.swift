internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `--connection` and `--stream`: whose records are selected.
struct StreamScope: ParsableArguments {
    @Option(help: ArgumentHelp("Only this connection.", valueName: "name"))
    var connection: String?

    @Option(help: ArgumentHelp("Only streams with this name.", valueName: "stream"))
    var stream: String?

    /// Whether everything is selected.
    var isEmpty: Bool { connection == nil && stream == nil }

    /// Checks that numbers or `--all` are given, and a scope only with `--all`.
    ///
    /// - Parameters:
    ///   - one: What a number names, such as `batch`.
    ///   - many: The plural.
    /// - Throws: `ValidationError`
    func check(_ ids: [Int64], all: Bool, one: String, many: String) throws {
        if ids.isEmpty, !all { throw ValidationError("give the numbers of \(many), or --all") }
        if !ids.isEmpty, all { throw ValidationError("numbers and --all cannot be used together") }
        if !ids.isEmpty, !isEmpty {
            throw ValidationError("--connection and --stream need --all; a number already names one \(one)")
        }
    }

    /// Checks that a named connection exists.
    ///
    /// - Throws: `PlugError` `connection-unknown` (1), with what may have been intended.
    static func check(connection name: String?, in store: any ConnectionStore) async throws {
        guard let name else { return }
        let known = try await store.connections().map(\.id.name)
        guard known.contains(name) else { throw unknown(name, known: known) }
    }

    /// The error for an unknown name.
    static func unknown(_ name: String, known: [String]) -> PlugError {
        PlugError(
            .connectionUnknown,
            "there is no connection '\(DisplayText.escaped(name))' here",
            advice: Spelling.question(name, in: known) ?? "'plughost connection list' shows the names"
        )
    }
}
