internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

extension ConnectionPlan {
    /// The answers to a manifest's questions, with its defaults.
    ///
    /// - Throws: `PlugError` `config-missing`, `config-unfit` (78): the plug may ask for more since the connection was created.
    func answers(for manifest: Manifest, of connection: ConnectionID) throws(PlugError) -> JSONObject {
        var answers = JSONObject()
        var missing: [ConfigField] = []
        for field in manifest.config {
            // A host reads no files: users of its pages or its API would choose what is read from its disk.
            if field.type == .file { continue }
            let key = JSONString(field.name)
            guard let value = config[key] ?? field.default else {
                if field.isRequired { missing.append(field) }
                continue
            }
            guard field.accepts(value) else {
                throw PlugError(
                    .configUnfit,
                    "the answer '\(field.name)' of connection '\(DisplayText.escaped(connection.name))' no longer fits the plug "
                        + "'\(manifest.id)': it must be \(field.expectation)",
                    advice: HostAdvice.answering([field], connection)
                )
            }
            answers[key] = value
        }
        guard missing.isEmpty else {
            let names = missing.map { "'\($0.name)'" }.joined(separator: ", ")
            throw PlugError(
                .configMissing,
                "the plug '\(manifest.id)' asks for \(names), and connection '\(DisplayText.escaped(connection.name))' has no answer",
                advice: HostAdvice.answering(missing, connection)
            )
        }
        return answers
    }
}
