internal import ArgumentParser
internal import PlugCore
internal import PlugManifest

/// `--config` and `--config-file`: the person's answers to a manifest's questions.
struct ConfigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A configuration value that the manifest asks for. Repeatable.",
            valueName: "key=value|key=@file"
        )
    )
    var config: [String] = []

    @Option(help: ArgumentHelp("A file of configuration values, YAML or JSON.", valueName: "file"))
    var configFile: String?

    /// The files that it names.
    var files: [String] {
        let values = config.compactMap { $0.split(separator: "=", maxSplits: 1).dropFirst().first }
        return [configFile].compactMap(\.self) + values.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
    }

    /// All answers, from files, the environment and the command line.
    ///
    /// - Throws: `PlugError` `bad-config` (usage), `file-missing`, `file-unreadable`, `config-file-malformed` (78).
    func answers(_ context: CommandContext) throws(PlugError) -> ConfigAnswers {
        var file: ConfigFile?
        if let configFile {
            file = try ConfigFile(path: configFile, bytes: try Files.read(configFile, failing: .configuration))
        }
        var options: [ConfigAnswers.Option] = []
        for entry in config {
            // The text may be a misplaced secret: it is not repeated.
            guard let equals = entry.firstIndex(of: "="), equals > entry.startIndex else {
                throw PlugError(
                    .badConfig,
                    "a --config is not of the form KEY=VALUE",
                    advice: "write --config user=ada, or --config api_key=@FILE for a secret"
                )
            }
            let name = String(entry[..<equals])
            let value = String(entry[entry.index(after: equals)...])
            if value.hasPrefix("@") {
                let path = String(value.dropFirst())
                // A text intended as a secret may begin with '@' too: it is not repeated.
                guard Files.exists(path) else {
                    throw PlugError(
                        .fileMissing,
                        exit: .configuration,
                        "the file of --config \(DisplayText.escaped(name))=@… does not exist",
                        advice: "if the value itself begins with '@', put it into --config-file"
                    )
                }
                options.append(.init(name: name, text: try Files.secret(path, failing: .configuration), isOpen: false))
            } else {
                options.append(.init(name: name, text: value, isOpen: true))
            }
        }
        return ConfigAnswers(file: file?.entries ?? [], options: options, environment: context.environment)
    }
}
