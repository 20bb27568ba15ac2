package import LosslessJSON
package import PlugCore
package import PlugManifest

extension Cassette {
    /// The configuration for a manifest: the fixture's values by the manifest's types, with its defaults.
    ///
    /// - Throws: `PlugError` `fixture-invalid`, exit 78, for what the manifest does not ask for or cannot take, and for a stream
    ///   that it does not deliver, or does not compare with an earlier pass.
    package func answers(for manifest: Manifest) throws(PlugError) -> JSONObject {
        let names = manifest.config.map(\.name)
        for member in config.members where !names.contains(member.key.text) {
            let name = DisplayText.escaped(member.key.text)
            let help = names.isEmpty ? "it asks for nothing" : "it asks for \(names.joined(separator: ", "))"
            throw wrong("config.\(member.key.text)", "the plug '\(manifest.id)' does not ask for '\(name)'", help)
        }
        for (name, _) in archiveNames where manifest.config.first(where: { $0.name == name })?.type != .file {
            let help = "'archives' has the config keys of type 'file', with an archive or a folder for each"
            throw wrong(
                "config.\(name)",
                "the plug '\(manifest.id)' asks for no file '\(DisplayText.escaped(name))'",
                help
            )
        }
        var answers = JSONObject()
        for field in manifest.config {
            let key = JSONString(field.name)
            if field.type == .file {
                answers[key] = archives?.paths[field.name].map { .text($0) }
                continue
            }
            guard let given = config[key] else {
                answers[key] = field.default
                continue
            }
            guard let value = field.value(of: given.stringText ?? given.compactText) else {
                let help = field.title.map { "it is: \($0)" }
                throw wrong("config.\(field.name)", "'\(field.name)' must be \(field.expectation)", help)
            }
            answers[key] = value
        }
        if let stream, manifest.stream(stream)?.path == nil {
            let delivered = manifest.streams.filter { $0.path != nil }.map(\.name)
            let message = "the plug '\(manifest.id)' delivers no stream '\(DisplayText.escaped(stream))'"
            throw wrong("stream", message, "its streams are: \(delivered.joined(separator: ", "))")
        }
        for stream in before.keys.sorted() where manifest.stream(stream)?.missing == nil {
            let message = "the stream '\(DisplayText.escaped(stream))' does not compare its passes"
            throw wrong("before.\(stream)", message, "'before' is for streams with 'deletes: {missing: true}'")
        }
        return answers
    }

    private func wrong(_ key: String, _ message: String, _ help: String?) -> PlugError {
        let place = places[key].map { "\(path):\($0)" } ?? path
        return PlugError(.fixtureInvalid, "\(place): \(message)", advice: help)
    }
}
