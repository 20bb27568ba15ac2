import CurlTransport
import JQ
package import LosslessJSON
import PlugCore
package import PlugManifest
import Synchronization

/// Removes secrets from texts that people see: the configured ones, and what templates have made of them; from addresses also
/// query, fragment and user.
package final class Redactor: Sendable {
    /// How many texts that templates have made are kept at most, the newest ones.
    private static let learnedLimit = 1000

    /// The names of what is secret, in `config` and in `vars`.
    private let names: [String]
    /// The names of secrets that are too short to be hidden everywhere.
    let short: [String]
    private let learned: Mutex<(secrets: [String], texts: [String], issued: [String], words: SecretWords)>

    /// - Parameter hidden: What else no message may show.
    init(_ manifest: Manifest, config: JSONObject, vars: JSONObject, hidden: [String] = []) {
        var names = manifest.config.filter(\.isSecret).map(\.name)
        var texts = names.flatMap { name in config[JSONString(name)].map(Self.texts) ?? [] }
        short = names.filter { name in
            let texts = config[JSONString(name)].map(Self.texts) ?? []
            return texts.contains { 1..<SecretWords.shortest ~= $0.count }
        }
        // What a var makes of a secret is one too.
        for (name, template) in manifest.vars where template.expressions.contains(where: { $0.reads(names) }) {
            names.append(name)
            if let value = vars[JSONString(name)] { texts += Self.texts(value) }
        }
        self.names = names
        let secrets = texts + hidden.flatMap { Self.texts(.text($0)) }
        learned = Mutex((secrets, [], [], SecretWords(secrets)))
    }

    /// Knows the secrets of a configuration, for what is not read by a `DeclarativeFetcher`, which has one of its own.
    package convenience init(_ manifest: Manifest, config: JSONObject) {
        self.init(manifest, config: config, vars: JSONObject())
    }

    /// The texts in a value; of one such as `Basic dXNlcjpwYXNz`, which names a scheme, the secret in it as well.
    private static func texts(_ value: JSONValue) -> [String] {
        switch value {
        case .null: return []
        case .array(let elements): return elements.flatMap(texts)
        case .object(let object): return object.members.flatMap { texts($0.value) }
        default:
            let text = value.stringText ?? value.compactText
            let words = text.split(separator: " ").map(String.init)
            let isScheme = words.count > 1 && words[0].allSatisfy(\.isLetter)
            return [text] + (isScheme ? words.dropFirst().filter { $0.count >= SecretWords.shortest } : [])
        }
    }

    /// Takes what an expression has given for a secret, if it is made of one: base64 or a part of a token is no less one.
    package func learn(_ value: JSONValue, of expression: Template.Expression) {
        guard !names.isEmpty, expression.reads(names) else { return }
        remember(Self.texts(value))
    }

    /// Knows what was made of a secret, such as a signature.
    func hide(_ text: String) { remember([text]) }

    private func remember(_ texts: [String]) {
        learned.withLock { learned in
            let new = texts.filter { !learned.texts.contains($0) }
            guard !new.isEmpty else { return }
            learned.texts += new
            if learned.texts.count > Self.learnedLimit {
                // Half of the limit at a time, so that the words are not made anew with each request.
                learned.texts.removeFirst(learned.texts.count - Self.learnedLimit / 2)
                learned.words = SecretWords(learned.secrets + learned.issued + learned.texts)
            } else {
                for text in new { learned.words.insert(text) }
            }
        }
    }

    /// Knows what else no message may show, for good.
    package func hide(_ texts: [String]) {
        learned.withLock { learned in
            for text in texts.flatMap({ Self.texts(.text($0)) }) {
                learned.secrets.append(text)
                learned.words.insert(text)
            }
        }
    }

    /// Knows a token that a service has given: each of them is a secret, for as long as the run lasts.
    func issue(_ secret: Secret) {
        let text = secret.reveal()
        learned.withLock { learned in
            guard !text.isEmpty, !learned.issued.contains(text) else { return }
            learned.issued.append(text)
            if learned.issued.count > Self.learnedLimit {
                learned.issued.removeFirst(Self.learnedLimit / 2)
                learned.words = SecretWords(learned.secrets + learned.issued + learned.texts)
            } else {
                learned.words.insert(text)
            }
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

    /// Any text.
    package func shown(_ text: String) -> String { learned.withLock { $0.words }.blotted(text) }
}

extension Template.Expression {
    /// Whether its output may be made of one of these members of `config` or `vars`: it names one, or takes all of them.
    fileprivate func reads(_ names: [String]) -> Bool {
        let roots = program.usedGlobals.intersection(["config", "vars"])
        guard !roots.isEmpty else { return false }
        let isNamed = names.contains { name in Self.words(name, in: source).contains { _ in true } }
        // `config` is taken apart where a plain member follows; `config | tojson` and `config[$name]` may be anything.
        return isNamed
            || roots.contains { root in
                Self.words(root, in: source).contains { after in
                    !(after.first == "." && after.dropFirst().first.map { $0.isLetter || $0 == "_" } ?? false)
                }
            }
    }

    /// What follows a word, wherever it stands.
    private static func words(_ word: String, in source: String) -> [Substring] {
        func isInside(_ character: Character?) -> Bool {
            character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
        }
        return source.ranges(of: word).compactMap { found in
            let after = source[found.upperBound...]
            return isInside(source[..<found.lowerBound].last) || isInside(after.first) ? nil : after
        }
    }
}
