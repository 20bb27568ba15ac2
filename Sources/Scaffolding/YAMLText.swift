import LosslessJSON

/// Scalars of YAML.
enum YAMLText {
    /// Words that a YAML reader may not read as text.
    private static let words: Set<String> = ["", "true", "false", "null", "yes", "no", "on", "off", "~"]

    /// A text as a scalar: plain if every reader reads it unchanged, else in double quotes.
    static func scalar(_ text: String) -> String {
        let isPlain =
            !words.contains(text.lowercased())
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                case UInt8(ascii: " "): true
                default: false
                }
            }
            && text.first.map { $0.isLetter || $0 == "/" || $0 == "." } ?? false
            && text.last != " " && !text.contains("  ")
        return isPlain ? text : quoted(text)
    }

    /// A jq program as a scalar, in single quotes if it is more than a path.
    static func program(_ text: String) -> String {
        let isPath = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"): true
            default: false
            }
        }
        return isPath ? text : "'\(text.replacing("'", with: "''"))'"
    }

    static func quoted(_ text: String) -> String { JSONValue.text(text).compactText }
}
