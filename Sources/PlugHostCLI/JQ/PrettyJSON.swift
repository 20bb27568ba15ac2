internal import LosslessJSON
internal import PlugCore

/// JSON for people: one member per line, two spaces per level, keys in their order, as jq prints it.
struct PrettyJSON {
    /// Whether control characters that JSON allows are escaped too, because a terminal would obey them.
    var isForTerminal = false

    /// The text, without a trailing line break.
    func text(_ value: JSONValue, isCompact: Bool = false) -> String {
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        var text = ""
        write(bytes, isCompact: isCompact) { text += $0 }
        return text
    }

    /// Lines are written in chunks of this size, as a deep value may be mostly indentation.
    private static let chunk = 1 << 16

    /// Writes JSON without white space, piece by piece.
    func write(_ json: [UInt8], isCompact: Bool = false, to output: (String) -> Void) {
        var bytes: [UInt8] = []
        func flush() {
            let text = String(decoding: bytes, as: UTF8.self)
            output(isForTerminal ? Self.safe(text) : text)
            bytes.removeAll(keepingCapacity: true)
        }
        if isCompact {
            bytes = json
            return flush()
        }
        var level = 0
        func newLine() {
            if bytes.count > Self.chunk { flush() }
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 2))
        }
        var at = 0
        while at < json.count {
            let byte = json[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                let start = at - 1
                while json[at] != UInt8(ascii: "\"") { at += json[at] == UInt8(ascii: "\\") ? 2 : 1 }
                at += 1
                bytes.append(contentsOf: json[start..<at])
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                bytes.append(byte)
                // Matching brackets differ by two.
                if json[at] == byte + 2 {
                    bytes.append(json[at])
                    at += 1
                } else {
                    level += 1
                    newLine()
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                level -= 1
                newLine()
                bytes.append(byte)
            case UInt8(ascii: ","):
                bytes.append(byte)
                newLine()
            case UInt8(ascii: ":"): bytes.append(contentsOf: ": ".utf8)
            default: bytes.append(byte)
            }
        }
        flush()
    }

    /// Line breaks and tabs are kept; inside strings JSON itself escapes them.
    static func safe(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            let isLayout = scalar == "\n" || scalar == "\t"
            if isLayout { safe.unicodeScalars.append(scalar) } else { safe += DisplayText.escaped(String(scalar)) }
        }
        return safe
    }
}
