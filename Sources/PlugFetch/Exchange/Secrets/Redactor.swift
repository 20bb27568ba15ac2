import CurlTransport
import JQ
package import LosslessJSON
import PlugCore
package import PlugManifest
import Synchronization

/// Removes secrets from texts that people see: the configured ones and their derivations in templates; from addresses also the
/// query, fragment and user, and path segments that hold configured values.
package final class Redactor: Sendable {
    /// How many template outputs are kept at most, the newest ones.
    private static let learnedLimit = 1000
    /// The same for signatures: more than the requests that can be in flight.
    private static let signatureLimit = 256

    /// The names of what is secret, in `config` and in `vars`.
    private let names: [String]
    /// The names of secrets that are too short to be hidden everywhere.
    let short: [String]
    /// Configured values personal to the user, such as a user name, which are not secret but private all the same.
    private let personal: [String]
    private let learned: Mutex<Learned>

    /// What became known during the run, by how long it is kept.
    private struct Learned: Sendable {
        /// Kept permanently.
        var secrets: [String]
        var texts: [String] = []
        var issued: [String] = []
        var cookies: [String] = []
        var signatures: [String] = []
        var words: SecretWords { didSet { shown = nil } }
        /// The same with their encodings; `nil` until needed.
        var encoded: SecretWords?
        /// The address that was shown last: each is shown several times, in the events of its request.
        var shown: (url: HTTPURL, text: String)?

        /// All of them.
        var known: [String] { secrets + issued + cookies + signatures + texts }

        /// Adds texts to one of the lists; the excess is dropped from its beginning, half of the limit at a time, so that the
        /// words are not rebuilt for each request.
        mutating func add(_ new: [String], to list: WritableKeyPath<Learned, [String]>, limit: Int) {
            let new = new.filter { !$0.isEmpty && !self[keyPath: list].contains($0) }
            guard !new.isEmpty else { return }
            self[keyPath: list] += new
            encoded = nil
            if self[keyPath: list].count > limit {
                self[keyPath: list].removeFirst(self[keyPath: list].count - limit / 2)
                words = SecretWords(known)
            } else {
                for text in new { words.insert(text) }
            }
        }
    }

    /// - Parameter hidden: What else no message may show.
    init(_ manifest: Manifest, config: JSONObject, vars: JSONObject, hidden: [String] = []) {
        var names = manifest.config.filter(\.isSecret).map(\.name)
        var texts = names.flatMap { name in config[JSONString(name)].map(Self.texts) ?? [] }
        short = names.filter { name in
            let texts = config[JSONString(name)].map(Self.texts) ?? []
            return texts.contains { 1..<SecretWords.shortest ~= $0.count }
        }
        // A var derived from a secret is secret too.
        for (name, template) in manifest.vars where template.expressions.contains(where: { $0.reads(names) }) {
            names.append(name)
            if let value = vars[JSONString(name)] { texts += Self.texts(value) }
        }
        self.names = names
        personal = manifest.config.flatMap { field in
            guard !field.isSecret, field.choices.isEmpty, [.string, .list].contains(field.type) else {
                return [String]()
            }
            let value = config[JSONString(field.name)]
            return value == field.default ? [] : value.map(Self.texts) ?? []
        }
        let secrets = texts + hidden.flatMap { Self.texts(.text($0)) }
        learned = Mutex(Learned(secrets: secrets, words: SecretWords(secrets)))
    }

    /// Knows the secrets of a configuration, for readers other than a `DeclarativeFetcher`, which has one of its own.
    package convenience init(_ manifest: Manifest, config: JSONObject) {
        self.init(manifest, config: config, vars: JSONObject(), hidden: LiteralCredentials.of(manifest))
    }

    /// The texts in a value; for one such as `Basic dXNlcjpwYXNz`, which names a scheme, also the secret in it.
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

    /// Treats the output of an expression as a secret if it is made of one: base64 or a part of a token is no less one.
    ///
    /// - Parameter isOfOneRequest: Whether it is made afresh for each request, so that it must not displace what is not.
    package func learn(_ value: JSONValue, of expression: Template.Expression, isOfOneRequest: Bool = false) {
        guard !names.isEmpty, expression.reads(names) else { return }
        let texts = Self.texts(value)
        learned.withLock {
            if isOfOneRequest {
                $0.add(texts, to: \.signatures, limit: Self.signatureLimit)
            } else {
                $0.add(texts, to: \.texts, limit: Self.learnedLimit)
            }
        }
    }

    /// Adds texts that no message may show, permanently.
    package func hide(_ texts: [String]) {
        learned.withLock { learned in
            for text in texts.flatMap({ Self.texts(.text($0)) }) {
                learned.secrets.append(text)
                learned.encoded = nil
                learned.words.insert(text)
            }
        }
    }

    /// Adds a token that a service has issued, or what is sent of it: each is a secret for as long as the run lasts.
    func issue(_ secret: Secret) {
        let texts = Self.texts(.text(secret.reveal()))
        learned.withLock { $0.add(texts, to: \.issued, limit: Self.learnedLimit) }
    }

    /// Adds a cookie that a service has set: some set a new one with each answer, which must not displace tokens.
    func issue(cookie: String) {
        learned.withLock { $0.add([cookie], to: \.cookies, limit: Self.signatureLimit) }
    }

    /// Adds the signature of a request, which soon becomes useless.
    func hide(signature: String) {
        learned.withLock { $0.add([signature], to: \.signatures, limit: Self.signatureLimit) }
    }

    /// Everything that it hides, to search for in what is about to be written.
    package var known: [String] { learned.withLock(\.known) }

    /// An address of the plug.
    func shown(_ url: HTTPURL) -> String {
        learned.withLock { learned in
            if let last = learned.shown, last.url == url { return last.text }
            let text = learned.words.blotted(url.origin + impersonal(url.path))
            learned.shown = (url, text)
            return text
        }
    }

    /// A text from outside: a link as written by the source.
    func shown(link: String) -> String {
        var text = String(link.prefix { $0 != "?" && $0 != "#" }.prefix(200))
        if let at = text.lastIndex(of: "@"), let slashes = text.firstRange(of: "//"), slashes.upperBound < at {
            text.replaceSubrange(slashes.upperBound..<at, with: "…")
        }
        return DisplayText.escaped(shown(impersonal(text)))
    }

    /// A path without the segments that hold configured values: `/users/…/items`.
    private func impersonal(_ path: String) -> String {
        // Most paths hold none, and this runs for each request.
        let bytes = Array(path.utf8)
        let whole = bytes.contains(UInt8(ascii: "%")) ? PercentEncoding.decode(bytes) : bytes
        guard personal.contains(where: { Self.holds(whole, $0) }) else { return path }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            let text = PercentEncoding.decode(segment)
            // A short value may be part of any word.
            let isPersonal = personal.contains { text == $0 || $0.count >= SecretWords.shortest && text.contains($0) }
            return isPersonal ? "…" : segment
        }
        return segments.joined(separator: "/")
    }

    private static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        let part = Array(text.utf8)
        guard let first = part.first, part.count <= bytes.count else { return part.isEmpty }
        return (0...bytes.count - part.count).contains { start in
            bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
        }
    }

    /// Any text.
    package func shown(_ text: String) -> String { learned.withLock { $0.words }.blotted(text) }

    /// What a source has sent, or was sent: it may repeat a secret in other encodings.
    package func shown(whole text: String) -> String {
        let words = learned.withLock { learned in
            let words = learned.encoded ?? SecretWords(learned.known, takesEncodings: true)
            learned.encoded = words
            return words
        }
        return words.blotted(text)
    }
}

extension Template.Expression {
    /// Whether its output may be made of one of these members of `config` or `vars`: it names one, or takes all of them.
    fileprivate func reads(_ names: [String]) -> Bool {
        let roots = program.usedGlobals.intersection(["config", "vars"])
        guard !roots.isEmpty else { return false }
        let isNamed = names.contains { name in Self.words(name, in: source).contains { _ in true } }
        // A plain member after `config` selects just that; `config | tojson` and `config[$name]` may be anything.
        return isNamed
            || roots.contains { root in
                Self.words(root, in: source).contains { after in
                    !(after.first == "." && after.dropFirst().first.map { $0.isLetter || $0 == "_" } ?? false)
                }
            }
    }

    /// What follows each occurrence of a word.
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
