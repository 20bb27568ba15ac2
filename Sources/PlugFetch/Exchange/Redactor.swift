import CurlTransport
import JQ
package import LosslessJSON
import PlugCore
package import PlugManifest
import Synchronization

/// Makes texts fit to be seen: with configured secrets blotted out, and what templates have made of them; addresses without
/// query, fragment and user.
package final class Redactor: Sendable {
    /// How many texts that templates have made are kept, the newest ones.
    private static let learnedLimit = 1000

    /// The names of what is secret, in `config` and in `vars`.
    private let names: [String]
    private let secrets: [String]
    private let learned = Mutex<[String]>([])

    /// - Parameter hidden: What else no message may show.
    init(_ manifest: Manifest, config: JSONObject, vars: JSONObject, hidden: [String] = []) {
        var names = manifest.config.filter(\.isSecret).map(\.name)
        var values = names.compactMap { config[JSONString($0)] }
        // What a var makes of a secret is one too.
        for (name, template) in manifest.vars where template.expressions.contains(where: { Self.mentions($0, names) }) {
            names.append(name)
            if let value = vars[JSONString(name)] { values.append(value) }
        }
        self.names = names
        let texts = values.filter { !$0.isNull }.map { $0.stringText ?? $0.compactText } + hidden
        // Longer ones first, so that no part of one stays.
        secrets = Self.forms(texts).sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Knows the secrets of a configuration, for what is not read by a `DeclarativeFetcher`, which has one of its own.
    package convenience init(_ manifest: Manifest, config: JSONObject) {
        self.init(manifest, config: config, vars: JSONObject())
    }

    private static func mentions(_ expression: Template.Expression, _ names: [String]) -> Bool {
        names.contains { expression.program.source.contains($0) }
    }

    private static func forms(_ texts: [String]) -> [String] {
        texts.filter { !$0.isEmpty }.flatMap { [$0, HTTPURL.percentEncode($0)] }
    }

    /// Takes what an expression has given for a secret, if it is made of one: base64 or a part of a token is no less one.
    func learn(_ text: String, of expression: Template.Expression) {
        guard !names.isEmpty, Self.mentions(expression, names) else { return }
        learned.withLock { learned in
            for form in Self.forms([text]) where !learned.contains(form) { learned.append(form) }
            learned.removeFirst(max(0, learned.count - Self.learnedLimit))
        }
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

    /// A record's `_id`, in which parts of a key may be escaped.
    package func shown(identity: String) -> String {
        let plain = Self.unescaped(identity)
        let shown = shown(plain)
        return shown == plain ? identity : shown
    }

    /// A text in which each `%2C` is the character that it stands for.
    private static func unescaped(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var plain: [UInt8] = []
        var at = 0
        while at < bytes.count {
            let digits = bytes[at...].dropFirst().prefix(2)
            if bytes[at] == UInt8(ascii: "%"), digits.count == 2,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                plain.append(byte)
                at += 3
            } else {
                plain.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Any text.
    package func shown(_ text: String) -> String {
        (secrets + learned.withLock { $0.sorted { $0.utf8.count > $1.utf8.count } }).reduce(text) { text, secret in
            text.contains(secret)
                ? text.split(separator: secret, omittingEmptySubsequences: false)
                    .joined(separator: "<redacted>") : text
        }
    }
}
