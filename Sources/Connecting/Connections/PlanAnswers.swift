internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// A person's answers to a plug's questions, as a program sends them.
enum PlanAnswers {
    /// Checks answers. No value is quoted: some are secret.
    ///
    /// - Returns: The answers with the manifest's types; unanswered ones are left out, as defaults may change.
    /// - Throws: `PlugError` `answer-unknown`, `answer-invalid`, `answer-missing` (configuration).
    static func checked(_ answers: JSONObject, for manifest: Manifest) throws(PlugError) -> JSONObject {
        var values = JSONObject()
        for member in answers.members {
            guard let field = manifest.config.first(where: { $0.name == member.key.text }) else {
                let known = manifest.config.map(\.name)
                let help = known.isEmpty ? "it asks for nothing" : "it asks for: \(known.joined(separator: ", "))"
                throw PlugError(
                    .answerUnknown,
                    "the plug '\(manifest.id)' does not ask for '\(DisplayText.escaped(member.key.text))'",
                    advice: Spelling.question(member.key.text, in: known) ?? help
                )
            }
            if field.type == .file {
                throw PlugError(
                    .answerInvalid,
                    "'config.\(field.name)' is a file, and a host reads none for a connection",
                    advice:
                        "leave it out; an operator reads an export with 'plughost run PLUG --config \(field.name)=FILE'"
                )
            }
            guard let value = value(member.value, field) else {
                throw PlugError(
                    .answerInvalid,
                    "'config.\(field.name)' must be \(field.expectation)",
                    advice: field.title.map { "it is: \($0)" }
                )
            }
            values[member.key] = value
        }
        let missing = manifest.config.filter { $0.isRequired && values[JSONString($0.name)] == nil }
        guard missing.isEmpty else {
            throw PlugError(
                .answerMissing,
                "the plug '\(manifest.id)' needs more answers",
                advice: "still to be set in 'config': \(missing.map(\.name).joined(separator: ", "))"
            )
        }
        return values
    }

    private static func value(_ value: JSONValue, _ field: ConfigField) -> JSONValue? {
        switch value {
        case .string(let text): field.type == .list ? field.value(of: [text.text]) : field.value(of: text.text)
        case .number(let number): field.value(of: number.text)
        case .bool(let bool): field.value(of: bool ? "true" : "false")
        case .array where field.type == .list: field.value(of: value.compactText)
        case .null, .array, .object: nil
        }
    }
}
