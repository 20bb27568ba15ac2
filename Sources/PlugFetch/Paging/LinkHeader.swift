/// The `Link` header (RFC 8288).
enum LinkHeader {
    /// The target of the first link with a relation.
    ///
    /// - Parameters:
    ///   - fields: The values of all `Link` headers, in order.
    ///   - relation: Such as `next`; case does not matter.
    static func target(in fields: [String], relation: String) -> String? {
        for field in fields {
            var scanner = LinkScanner(field)
            while let link = scanner.next() {
                if link.relations.contains(relation.lowercased()), !link.hasAnchor { return link.target }
            }
        }
        return nil
    }
}

/// Reads one header's links from left to right.
struct LinkScanner {
    struct Link: Equatable {
        var target: String
        var relations: [String]
        /// A link about something other than the page.
        var hasAnchor: Bool
    }

    private var rest: Substring.UTF8View
    /// Whether there may be another `>`: a failing search for it happens at most once, whatever a header holds.
    private var mayEnd = true

    init(_ field: String) { rest = Substring(field).utf8 }

    /// The next link; anything malformed is skipped up to the next comma.
    mutating func next() -> Link? {
        while true {
            skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
            guard let first = rest.first else { return nil }
            guard first == UInt8(ascii: "<"), mayEnd, let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
                mayEnd = mayEnd && first != UInt8(ascii: "<")
                passOver()
                continue
            }
            let target = String(Substring(rest[rest.index(after: rest.startIndex)..<end]))
            rest = rest[rest.index(after: end)...]
            return parameters(of: target)
        }
    }

    private mutating func parameters(of target: String) -> Link {
        var link = Link(target: target, relations: [], hasAnchor: false)
        var hasRelation = false
        while true {
            skip(Self.isSpace)
            guard take(";") else { break }
            skip(Self.isSpace)
            let name = token { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            let value = take("=") ? value() : ""
            switch name.lowercased() {
            // If there are several `rel`, only the first counts.
            case "rel" where !hasRelation:
                hasRelation = true
                link.relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
            case "anchor": link.hasAnchor = true
            default: break
            }
        }
        passOver()
        return link
    }

    private mutating func value() -> String {
        skip(Self.isSpace)
        guard take("\"") else {
            return token { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !Self.isSpace($0) }
        }
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                text.append(escaped)
            } else {
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func token(while belongs: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: belongs)
        rest = rest[part.endIndex...]
        return String(Substring(part)).trimmed
    }

    /// Skips to a comma outside quotes.
    private mutating func passOver() {
        var isQuoted = false
        while let byte = rest.first, isQuoted || byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            rest = rest.dropFirst()
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skip(_ belongs: (UInt8) -> Bool) { rest = rest.drop(while: belongs) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension String {
    /// Without leading and trailing whitespace.
    var trimmed: String {
        var part = Substring(self)
        while let first = part.first, first == " " || first == "\t" { part = part.dropFirst() }
        while let last = part.last, last == " " || last == "\t" { part = part.dropLast() }
        return String(part)
    }
}
