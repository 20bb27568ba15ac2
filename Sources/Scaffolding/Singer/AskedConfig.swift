internal import LosslessJSON
internal import PlugCore

/// A person's configuration of a program, and the questions that a plug asks instead: one for each value that may be secret or
/// personal, however deeply nested.
struct AskedConfig {
    /// A config key of the plug.
    struct Key {
        var name: String
        var type: String
        var isSecret: Bool
    }

    /// The plug's questions.
    private(set) var keys: [Key] = []
    /// The answers that reproduce the configuration.
    private(set) var answers = JSONObject()
    /// The configuration as YAML on one line, with templates in place of the values; empty if there is none.
    private(set) var template = ""

    init(_ config: JSONObject) {
        guard !config.members.isEmpty else { return }
        template = written(.object(config), at: [])
    }

    private mutating func written(_ value: JSONValue, at path: [String]) -> String {
        switch value {
        case .object(let object):
            let members = object.members.map { member in
                "\(YAMLWriting.text(member.key.text)): \(written(member.value, at: path + [member.key.text]))"
            }
            return "{\(members.joined(separator: ", "))}"
        case .array(let elements):
            let texts = elements.enumerated().map { at, element in written(element, at: path + ["\(at + 1)"]) }
            return "[\(texts.joined(separator: ", "))]"
        case .null: return "null"
        case .bool: return asked(value, "boolean", path)
        case .number(let number): return asked(value, number.int64 == nil ? "number" : "integer", path)
        case .string: return asked(value, "string", path)
        }
    }

    private mutating func asked(_ value: JSONValue, _ type: String, _ path: [String]) -> String {
        let name = freeName(path)
        keys.append(Key(name: name, type: type, isSecret: type != "boolean" && Self.isSecret(value, path)))
        answers[JSONString(name)] = value
        return "\"{{ config.\(name) }}\""
    }

    /// A valid name for a template that no other key has.
    private func freeName(_ path: [String]) -> String {
        let text = path.joined(separator: "_")
        var name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(48))
        if name.first?.isLetter != true { name = "value_\(name)" }
        let isFree = { (name: String) in !keys.contains { $0.name == name } }
        if isFree(name) { return name }
        return (2...).lazy.map { "\(name)_\($0)" }.first(where: isFree) ?? name
    }

    /// Whether a value may be a secret: by its names, or because it is a URL with a user name before its host. In doubt it is one: it
    /// is then asked for, and hidden.
    private static func isSecret(_ value: JSONValue, _ path: [String]) -> Bool {
        if let text = value.stringText, let colon = text.firstRange(of: "://"),
            text[colon.upperBound...].prefix(while: { !"/?#".contains($0) }).contains("@")
        {
            return true
        }
        return path.contains { part in
            let bare = harmless.reduce(part.lowercased()) { $0.replacing($1, with: "") }
            let single = bare.split { !$0.isLetter && !$0.isNumber }
            return parts.contains { bare.contains($0) } || single.contains { words.contains(String($0)) }
        }
    }

    /// Names of secrets contain these.
    private static let parts = [
        "token", "secret", "password", "passphrase", "passwd", "passwort", "credential", "key", "authoriz", "cookie",
        "bearer", "private", "signature", "session",
    ]
    /// Names of secrets have these as a word.
    private static let words: Set = ["pass", "pwd", "pw", "pat", "jwt", "dsn", "auth", "otp", "pin"]
    /// Names of members of records, of addresses and of ways to authenticate.
    private static let harmless = [
        "replication_key", "primary_key", "partition_key", "sort_key", "key_propert", "key_field", "keyword",
        "page_token", "token_path", "token_url", "token_uri", "token_endpoint", "token_type", "auth_url", "auth_uri",
        "auth_type", "auth_method", "auth_endpoint",
    ]
}
