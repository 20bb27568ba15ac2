internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// The answers and their sources: the command line takes precedence over the environment, and that over the file.
struct ConfigAnswers: Sendable {
    /// `--config name=…`
    struct Option: Sendable {
        var name: String
        var text: String
        /// Whether the value is on the command line, visible to everyone on the machine.
        var isOpen: Bool
    }

    var file: [ConfigFile.Entry]
    var options: [Option]
    var environment: [String: String]

    /// The environment variable for a key.
    static func variable(_ name: String) -> String { "PLUGHOST_CONFIG_\(name.uppercased())" }

    /// Refuses answers that none of the manifests asks for.
    ///
    /// - Throws: `PlugError` `unknown-config`, exit 64 for `--config`, 78 for the file.
    func checkNames(_ manifests: [Manifest]) throws(PlugError) {
        let known = manifests.flatMap { $0.config.map(\.name) }
        let help = known.isEmpty ? "it asks for nothing" : "it asks for \(known.joined(separator: ", "))"
        let plugs = manifests.map { "'\($0.id)'" }.joined(separator: ", ")
        func refuse(_ name: String, _ place: String, _ exit: ExitStatus) -> PlugError {
            let advice = Spelling.question(name, in: known) ?? help
            let message = "\(place): the plug \(plugs) does not ask for '\(DisplayText.escaped(name))'"
            return PlugError(.unknownConfig, exit: exit, message, advice: advice)
        }
        for option in options where !known.contains(option.name) { throw refuse(option.name, "--config", .usage) }
        for entry in file where !known.contains(entry.name) {
            throw refuse(entry.name, DisplayText.escaped(entry.place), .configuration)
        }
    }

    /// The values of a manifest's config, with defaults filled in. A key with neither is left out.
    ///
    /// - Throws: `PlugError` `open-secret` (usage), `config-invalid` (64 for `--config`, else 78).
    func values(for manifest: Manifest) throws(PlugError) -> JSONObject {
        var values = JSONObject()
        for field in manifest.config {
            let key = JSONString(field.name)
            let given = options.filter { $0.name == field.name }
            if !given.isEmpty {
                if field.isSecret, given.contains(where: \.isOpen) { throw Self.openSecret(field) }
                values[key] = try Self.value(given.map(\.text), field, "--config", .usage)
            } else if let text = environment[Self.variable(field.name)] {
                values[key] = try Self.value([text], field, Self.variable(field.name), .configuration)
            } else if let entry = file.last(where: { $0.name == field.name }) {
                let isFitting = !entry.isList || field.type == .list
                let texts = isFitting ? [entry.text] : []
                values[key] = try Self.value(texts, field, DisplayText.escaped(entry.place), .configuration)
            } else {
                values[key] = field.default
            }
        }
        return values
    }

    /// The keys of a manifest that were answered by any source.
    func names(for manifest: Manifest) -> Set<String> {
        let given = Set(options.map(\.name)).union(file.map(\.name))
        return Set(manifest.config.map(\.name).filter { given.contains($0) || environment[Self.variable($0)] != nil })
    }

    /// How to answer every key that has no value yet; `nil` if all have one.
    static func advice(_ manifest: Manifest, lacking config: JSONObject) -> String? {
        // Streams that are read from a file are left out if there is none.
        let missing = manifest.config.filter { $0.isRequired && config[JSONString($0.name)] == nil }
        let answers = missing.map { field in
            let title = field.title.map { " (\($0))" } ?? ""
            return option(field) + title
        }
        return answers.isEmpty ? nil : "still to be set: " + answers.joined(separator: ", ")
    }

    /// How to answer on the command line.
    static func option(_ field: ConfigField) -> String {
        "--config \(field.name)=\(field.isSecret ? "@FILE" : "…")"
    }

    private static func value(
        _ texts: [String],
        _ field: ConfigField,
        _ place: String,
        _ exit: ExitStatus
    ) throws(PlugError) -> JSONValue {
        if let value = field.value(of: texts) { return value }
        let text = texts.count > 1 ? "these \(texts.count) values" : texts.last.map { "'\(shortened($0))'" } ?? "a list"
        let shown = field.isSecret ? "" : ", not \(text)"
        throw PlugError(
            .configInvalid,
            exit: exit,
            "\(place): '\(field.name)' must be \(field.expectation)\(shown)",
            advice: field.title.map { "it is: \($0)" }
        )
    }

    private static func shortened(_ text: String) -> String { DisplayText.escaped(String(text.prefix(80))) }

    private static func openSecret(_ field: ConfigField) -> PlugError {
        PlugError(
            .openSecret,
            "'\(field.name)' is a secret, and everybody on this machine can read a command line",
            advice: "write --config \(field.name)=@FILE, or set \(variable(field.name))"
        )
    }
}
