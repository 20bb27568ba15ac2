internal import LosslessJSON
internal import PlugCore

/// Texts in YAML.
enum YAMLWord {
    /// Unquoted if it is a plain word, else as in JSON.
    static func quoted(_ text: String) -> String {
        let isPlain =
            text.drop { "./".contains($0) }.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./".contains($0)) }
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"].contains(
                text.lowercased()
            )
        if isPlain { return text }
        var quoted: [UInt8] = []
        JSONText.appendQuoted(text, to: &quoted)
        return String(decoding: quoted, as: UTF8.self)
    }
}
