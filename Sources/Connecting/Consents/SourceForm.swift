package import LosslessJSON
internal import PlugCore
package import PlugManifest

/// The form with which a plug asks the person for keys, logins and choices.
package struct SourceForm: Sendable {
    /// One question.
    package struct Field: Sendable {
        /// The key in `config`, and the name of the field.
        package var name: String
        /// The question.
        package var title: String
        /// The kind of value.
        package var kind: ConfigField.Kind
        /// The only permitted answers, if there are few.
        package var choices: [String]
        /// Whether it is never shown again: the field is empty, and leaving it empty keeps the existing answer.
        package var isSecret: Bool
        /// Whether an answer is required.
        package var isRequired: Bool
        /// Whether there is an answer already.
        package var isAnswered: Bool
        /// The value shown in the field; never a secret.
        package var value: String?
    }

    /// What is wrong with an answer.
    package struct Problem: Error, Sendable, Equatable {
        /// The field.
        package var name: String
        /// What is wrong, without the answer itself.
        package var message: String
    }

    /// The questions, in the manifest's order.
    package let fields: [Field]
    /// The fields asked for: no files, because a page must not choose what is read from the host's disk.
    private let asked: [ConfigField]
    private let answers: JSONObject

    /// The longest answer, in bytes: enough for keys in PEM form.
    private static let longest = 64 << 10

    /// The form of a plug, with earlier answers.
    package init(_ manifest: Manifest, answers: JSONObject) {
        self.answers = answers
        asked = manifest.config.filter { $0.type != .file }
        fields = asked.map { field in
            let known = answers[JSONString(field.name)]
            let shown = known ?? field.default
            return Field(
                name: field.name,
                title: field.title ?? field.name,
                kind: field.type,
                choices: field.choices.map(Self.text),
                isSecret: field.isSecret,
                isRequired: field.isRequired,
                isAnswered: known != nil,
                value: field.isSecret ? nil : shown.map(Self.text)
            )
        }
    }

    /// The answers; a secret field that was left empty keeps its earlier answer.
    ///
    /// - Parameter given: The form's fields: several with one name are elements of a list. Other names are ignored.
    /// - Returns: The answers, or what is wrong with them, field by field.
    package func answers(_ given: [(name: String, value: String)]) -> Result<JSONObject, SourceForm.Problems> {
        var (result, problems) = (answers, [Problem]())
        for (field, question) in zip(asked, fields) {
            let texts = given.filter { $0.name == field.name }.map(\.value).filter { !$0.isEmpty }
            let key = JSONString(field.name)
            if texts.isEmpty {
                // An empty field removes an answer, except for one that could not be shown.
                if !field.isSecret, given.contains(where: { $0.name == field.name }) { result[key] = nil }
                if question.isRequired, result[key] == nil {
                    problems.append(Problem(name: field.name, message: "is missing"))
                }
            } else if texts.contains(where: { $0.utf8.count > Self.longest }) {
                problems.append(Problem(name: field.name, message: "is longer than \(Self.longest) bytes"))
            } else if let value = field.value(of: texts) {
                result[key] = value
            } else {
                problems.append(Problem(name: field.name, message: "should be \(field.expectation)"))
            }
        }
        return problems.isEmpty ? .success(result) : .failure(Problems(all: problems))
    }

    /// What is wrong with the answers.
    package struct Problems: Error, Sendable, Equatable {
        /// All problems, in the order of the fields.
        package var all: [Problem]
    }

    private static func text(_ value: JSONValue) -> String { value.stringText ?? value.compactText }
}
