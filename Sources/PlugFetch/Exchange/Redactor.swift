import HTTPTransport
import LosslessJSON
import PlugCore
import PlugManifest

/// Makes addresses fit to be seen: without query, fragment and user, with configured secrets blotted out.
struct Redactor: Sendable {
    private let secrets: [String]

    init(_ manifest: Manifest, config: JSONObject, vars: JSONObject) {
        var names = manifest.config.filter(\.isSecret).map(\.name)
        var values = names.compactMap { config[JSONString($0)] }
        // What a var makes of a secret is one too.
        for (name, template) in manifest.vars
        where template.expressions.contains(where: { program in names.contains { program.source.contains($0) } }) {
            names.append(name)
            if let value = vars[JSONString(name)] { values.append(value) }
        }
        var secrets: [String] = []
        for value in values where !value.isNull {
            let text = value.stringText ?? value.compactText
            if !text.isEmpty { secrets += [text, HTTPURL.percentEncode(text)] }
        }
        // Longer ones first, so that no part of one stays.
        self.secrets = secrets.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// An address of ours.
    func shown(_ url: HTTPURL) -> String { shown(url.withoutQuery) }

    /// A text from outside: a link as the source wrote it.
    func shown(link: String) -> String {
        var text = String(link.prefix { $0 != "?" && $0 != "#" }.prefix(200))
        if let at = text.lastIndex(of: "@"), let slashes = text.firstRange(of: "//"), slashes.upperBound < at {
            text.replaceSubrange(slashes.upperBound..<at, with: "…")
        }
        return DisplayText.escaped(shown(text))
    }

    /// Any text.
    func shown(_ text: String) -> String {
        secrets.reduce(text) { text, secret in
            text.contains(secret)
                ? text.split(separator: secret, omittingEmptySubsequences: false)
                    .joined(separator: "<redacted>") : text
        }
    }
}
