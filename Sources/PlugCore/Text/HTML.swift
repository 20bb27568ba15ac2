/// A piece of HTML. Values interpolated into it are escaped automatically unless they are HTML themselves: `"<p>\(name)</p>"` is
/// safe whatever the name is.
///
/// It is safe between tags and in quoted attributes. Bytes are escaped, not characters: a quotation mark that forms one character
/// with a following combining mark would still end an attribute.
package struct HTML: Sendable, Equatable {
    /// As sent to a browser.
    package private(set) var text: String

    private init(escaping text: some StringProtocol) { self.text = Self.escaped(text) }

    /// Foreign text as HTML.
    package static func text(_ text: some StringProtocol) -> HTML { HTML(escaping: text) }

    /// Concatenates two pieces.
    package static func + (left: HTML, right: HTML) -> HTML { "\(left)\(right)" }
    /// Appends HTML.
    package static func += (left: inout HTML, right: HTML) { left.text += right.text }

    /// How HTML and XML write a character that is part of their syntax: `&`, `<`, `>` or `"`; `nil` for any other.
    package static func reference(to character: Unicode.Scalar) -> String? {
        switch character {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        default: nil
        }
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            // HTML allows no other control characters; JSON escapes them before they get here.
            case 0x00...0x08, 0x0B...0x1F, 0x7F: bytes.append(contentsOf: "\u{FFFD}".utf8)
            default:
                if let reference = reference(to: Unicode.Scalar(byte)) {
                    bytes.append(contentsOf: reference.utf8)
                } else {
                    bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension HTML: ExpressibleByStringInterpolation {
    /// A literal in the source is HTML.
    package init(stringLiteral text: String) { self.text = text }
    /// Literals are HTML; values are escaped.
    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Combines literals and values.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Starts empty.
        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        /// Literals stay as they are.
        package mutating func appendLiteral(_ literal: String) { text += literal }
        /// HTML stays as it is.
        package mutating func appendInterpolation(_ html: HTML) { text += html.text }
        /// Optional HTML; `nil` adds nothing.
        package mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
        /// Text is escaped.
        package mutating func appendInterpolation(_ text: some StringProtocol) { self.text += HTML.escaped(text) }
        /// A number needs no escapes.
        package mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }
    }
}

extension Sequence where Element == HTML {
    /// All pieces, one after another.
    package func joined(separator: HTML = "") -> HTML {
        var all: HTML = ""
        for (at, html) in enumerated() { all += at > 0 ? separator + html : html }
        return all
    }
}
