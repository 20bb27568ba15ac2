/// The `Link` header (RFC 8288).
enum LinkHeader {
    /// Where a relation leads.
    enum Target: Equatable {
        case link(String)
        /// No link has the relation.
        case none
        /// There is something about the relation, in a form that cannot be read.
        case unreadable
    }

    /// The target of the first link with a relation.
    ///
    /// - Parameters:
    ///   - fields: The values of all `Link` headers, in order.
    ///   - relation: Such as `next`; case does not matter.
    static func target(in fields: [String], relation: String) -> Target {
        let relation = relation.lowercased()
        var target = Target.none
        for field in fields {
            var scanner = LinkScanner(field)
            while let part = scanner.next() {
                switch part {
                case .link(let link) where link.relations.contains(relation):
                    if !link.hasAnchor { return .link(link.target) }
                case .link: break
                case .unreadable(let text):
                    let words = text.lowercased().split { !$0.isLetter }
                    if words.contains(where: { $0 == relation }) { target = .unreadable }
                }
            }
        }
        return target
    }
}

/// Reads one header's links from left to right, also in forms that are wrong and that other clients read: no angle brackets,
/// single quotes, commas between relations.
struct LinkScanner {
    struct Link: Equatable {
        var target: String
        /// In lower case.
        var relations: [String]
        /// A link about something other than the page.
        var hasAnchor: Bool
    }

    enum Part: Equatable {
        case link(Link)
        /// Anything else, up to a comma.
        case unreadable(String)
    }

    private var rest: Substring.UTF8View
    /// Whether there may be another `>`: a failing search for it happens at most once, whatever a header holds.
    private var mayEnd = true
    /// The same for the `;` behind an address without brackets.
    private var mayBeBare = true

    init(_ field: String) { rest = Substring(field).utf8 }

    /// The next link, or what stands in its place; `nil` at the end.
    mutating func next() -> Part? {
        skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
        guard !rest.isEmpty else { return nil }
        let start = rest
        if let target = target(), let link = parameters(of: target), !link.relations.isEmpty { return .link(link) }
        passOver()
        return .unreadable(String(decoding: start[..<rest.startIndex], as: UTF8.self))
    }

    private mutating func target() -> String? {
        if rest.first == UInt8(ascii: "<") {
            guard mayEnd, let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
                mayEnd = false
                return nil
            }
            let target = String(decoding: rest[..<end].dropFirst(), as: UTF8.self)
            rest = rest[end...].dropFirst()
            return target.trimmed
        }
        guard mayBeBare, Self.addresses.contains(where: { rest.starts(with: $0.utf8) }) else { return nil }
        // An address may have commas, but not with a blank behind them.
        var at = rest.startIndex
        while at < rest.endIndex, rest[at] != UInt8(ascii: ";") {
            let next = rest.index(after: at)
            if rest[at] == UInt8(ascii: ","), next < rest.endIndex, Self.isSpace(rest[next]) { break }
            at = next
        }
        let target = String(decoding: rest[..<at], as: UTF8.self).trimmed.filter { $0 != "\"" && $0 != "'" }
        rest = rest[at...]
        mayBeBare = !rest.isEmpty
        return rest.first == UInt8(ascii: ";") && !target.contains(" ") ? target : nil
    }

    /// How an address without angle brackets begins.
    private static let addresses = ["http://", "https://", "\"http", "'http", "/", "?"]

    private mutating func parameters(of target: String) -> Link? {
        var link = Link(target: target, relations: [], hasAnchor: false)
        var hasRelation = false
        while true {
            skip { Self.isSpace($0) || $0 == UInt8(ascii: ";") }
            guard let first = rest.first, first != UInt8(ascii: ",") else { break }
            let name = token { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            let value = take("=") ? value() : ""
            guard let value else { return nil }
            switch name.lowercased() {
            // If there are several `rel`, only the first counts.
            case "rel" where !hasRelation:
                hasRelation = true
                link.relations = value.lowercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
            case "anchor": link.hasAnchor = true
            default: break
            }
        }
        return link
    }

    /// A parameter's value; `nil` if its quote does not end.
    private mutating func value() -> String? {
        skip(Self.isSpace)
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return token { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !Self.isSpace($0) }
        }
        rest = rest.dropFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                text.append(escaped)
            } else {
                text.append(byte)
            }
        }
        return nil
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
