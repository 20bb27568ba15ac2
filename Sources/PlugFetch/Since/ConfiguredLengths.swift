import LosslessJSON
import PlugCore
import PlugManifest

extension PlugManifest.Stream {
    /// The stream with the lengths of its windows and of its overlap rendered, if templates specify them.
    func measured(_ roots: TemplateRoots) throws(PlugError) -> PlugManifest.Stream {
        guard var since, since.window?.length != nil || since.overlapLength != nil else { return self }
        if let template = since.window?.length {
            since.window?.width = try length("since.window", template, roots, example: "30d or 1mo") {
                Since.Step(length: $0)
            }
        }
        if let template = since.overlapLength {
            since.overlap = try length("since.overlap", template, roots, example: "7d, or 0") {
                HumanDuration.parse($0).map { .duration($0) }
            }
        }
        return replacing(since: since)
    }

    private func length(
        _ key: String,
        _ template: Template,
        _ roots: TemplateRoots,
        example: String,
        parse: (String) -> Since.Step?
    ) throws(PlugError) -> Since.Step {
        let value = try template.render(roots)
        if let step = value.stringText.flatMap(parse) { return step }
        throw PlugError(
            .windowUnreadable,
            "\(places[key]): '\(key)' (\(template.source)) gives "
                + "\(DisplayText.escaped(String(value.compactText.prefix(60)))), which is not a length of time",
            advice: "make it give a length such as \(example)",
            stream: name
        )
    }
}
