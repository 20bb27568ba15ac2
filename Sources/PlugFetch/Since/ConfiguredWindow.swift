import LosslessJSON
import PlugCore
import PlugManifest

extension PlugManifest.Stream {
    /// The stream with the length of its windows, where a template gives it.
    func measured(_ roots: TemplateRoots) throws(PlugError) -> PlugManifest.Stream {
        guard var since, let length = since.window?.length else { return self }
        let value = try length.render(roots)
        guard let step = value.stringText.flatMap({ Since.Step(length: $0) }) else {
            throw PlugError(
                .windowUnreadable,
                "\(places["since.window"]): 'since.window' (\(length.source)) gives "
                    + "\(DisplayText.escaped(String(value.compactText.prefix(60)))), which is no length of time",
                advice: "let it give a length such as 30d or 1mo",
                stream: name
            )
        }
        since.window?.width = step
        return replacing(since: since)
    }
}
