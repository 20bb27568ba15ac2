internal import Connecting
internal import PlugCore
internal import PlugManifest

/// A plug's questions, as form fields.
struct SourceQuestions: Sendable {
    /// A prefix for each name, so that no plug's question can clash with one of this host's own fields.
    private static let prefix = "config."
    private let form: SourceForm
    private let given: [(name: String, value: String)]?
    private let wrong: [SourceForm.Problem]

    /// - Parameters:
    ///   - given: The submitted form that has to be corrected; `nil` for the known answers.
    ///   - wrong: The errors in it.
    init(_ form: SourceForm, given: [(name: String, value: String)]?, wrong: [SourceForm.Problem]) {
        (self.form, self.given, self.wrong) = (form, given, wrong)
    }

    /// A form's answers, under the manifest's names.
    static func answers(
        _ form: [(name: String, value: String)],
        for manifest: Manifest
    ) -> [(name: String, value: String)] {
        form.flatMap { field -> [(name: String, value: String)] in
            guard field.name.hasPrefix(prefix) else { return [] }
            let name = String(field.name.dropFirst(prefix.count))
            guard manifest.config.first(where: { $0.name == name })?.isLines == true else {
                return [(name, field.value)]
            }
            let lines = field.value.split(whereSeparator: \.isNewline).map { String($0) }
            return lines.isEmpty ? [(name, "")] : lines.map { (name, $0) }
        }
    }

    var html: HTML { form.fields.map(html).joined(separator: "\n") }

    private func html(_ field: SourceForm.Field) -> HTML {
        let name = Self.prefix + field.name
        let problem = wrong.first { $0.name == field.name }.map {
            "This \($0.message).".replacing("This is missing", with: "Please answer this")
        }
        let before = given?.filter { $0.name == name }.map(\.value)
        let value = before?.first ?? field.value ?? ""
        if field.kind == .list, !field.choices.isEmpty {
            let chosen = Set(before ?? [])
            return FormField.checkboxes(
                name,
                field.title,
                field.choices.map { ($0, $0, nil) },
                chosen: chosen,
                problem: problem
            )
        }
        if field.kind == .list {
            return FormField.lines(
                name,
                field.title,
                value: value,
                hint: "One on each line",
                problem: problem
            )
        }
        if !field.choices.isEmpty || field.kind == .boolean {
            let choices = field.kind == .boolean ? [("true", "Yes"), ("false", "No")] : field.choices.map { ($0, $0) }
            let options = field.isRequired || field.value != nil ? choices : [("", "–")] + choices
            return FormField.choice(name, field.title, options, chosen: value, problem: problem)
        }
        if field.isSecret {
            let hint =
                field.isAnswered
                ? "Already given. Leave it empty to keep it." : "Kept encrypted, and never shown again."
            return FormField.text(
                name,
                field.title,
                hint: hint,
                problem: problem,
                type: "password",
                isRequired: field.isRequired && !field.isAnswered
            )
        }
        let type =
            switch field.kind {
            case .date: "date"
            case .integer: "number"
            default: "text"
            }
        let hint = field.kind == .host ? "A host name, such as example.org" : nil
        return FormField.text(
            name,
            field.title,
            value: value,
            hint: hint,
            problem: problem,
            type: type,
            isRequired: field.isRequired
        )
    }
}

extension ConfigField {
    /// Whether its answer has several lines.
    fileprivate var isLines: Bool { type == .list && choices.isEmpty }
}
