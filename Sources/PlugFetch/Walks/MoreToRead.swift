import CurlTransport
import LosslessJSON

/// A sign of more than an answer holds, where services usually put it: for streams without `page`, which read one page.
struct MoreToRead: Sendable, Equatable {
    /// The sign, for messages.
    let name: String
    /// The manifest key that would follow it, as far as the answer shows.
    let advice: String

    /// `nil` if there is no sign of more.
    ///
    /// - Parameters:
    ///   - document: The answer, as far as it was kept; `nil` if only its headers count.
    ///   - records: The records of the answer, whose own members say nothing about pages.
    init?(_ headers: HTTPHeaders, _ document: JSONDocument?, beside records: [JSONView]) {
        if LinkHeader.target(in: headers.all("link"), relation: "next") != .none {
            (name, advice) = ("a 'Link' header with rel=\"next\"", "page: {link: next}")
            return
        }
        guard let document else { return nil }
        let own = Set(records.lazy.filter { $0.document === document }.map(\.node))
        let found = document.withCursor { cursor in
            var search = Search(cursor: cursor, own: own)
            return search.found(in: 0, path: "", isAboutPages: true, depth: 0)
        }
        guard let found else { return nil }
        name = "'\(found.path)'"
        advice =
            switch found.sign {
            case .flag: "page: {number: {param: …}, more: \(found.path)}"
            case .address: "page: {next: \(found.path)}"
            case .token: "page: {cursor: {from: \(found.path), param: …}}"
            }
    }

    /// What a member indicates.
    private enum Sign { case flag, address, token }

    /// Searches objects from the outside in.
    private struct Search {
        let cursor: JSONCursor
        let own: Set<Int>
        private var left = 1000

        init(cursor: JSONCursor, own: Set<Int>) { (self.cursor, self.own) = (cursor, own) }

        /// - Parameter isAboutPages: Whether a plain name such as `next` can refer to pages here.
        mutating func found(
            in object: Int,
            path: String,
            isAboutPages: Bool,
            depth: Int
        ) -> (path: String, sign: Sign)? {
            guard !own.contains(object), cursor.kind(object) == .object else { return nil }
            var members: [(name: String, value: Int)] = []
            cursor.forEachMember(of: object) { key, value in
                guard left > 0 else { return }
                left -= 1
                members.append((cursor.text(key), value))
            }
            for (name, value) in members where isMet(name, isAboutPages) {
                if let (rest, sign) = sign(value) { return (path + Self.step(name) + rest, sign) }
            }
            guard depth < MoreToRead.depth else { return nil }
            for (name, value) in members {
                let isWrapper = MoreToRead.wrappers.contains(MoreToRead.plain(name))
                let inner = path + Self.step(name)
                if let found = found(in: value, path: inner, isAboutPages: isWrapper, depth: depth + 1) { return found }
            }
            return nil
        }

        private func isMet(_ name: String, _ isAboutPages: Bool) -> Bool {
            let plain = MoreToRead.plain(name)
            return MoreToRead.clear.contains(plain) || isAboutPages && MoreToRead.vague.contains(plain)
        }

        /// What a value indicates, and where inside it; `nil` for the various ways to say that there is no more.
        private func sign(_ value: Int) -> (path: String, sign: Sign)? {
            switch cursor.kind(value) {
            case .bool: return cursor.slice(value).first == UInt8(ascii: "t") ? ("", .flag) : nil
            case .number: return cursor.number(value).int64.map { $0 > 0 } == true ? ("", .token) : nil
            case .string:
                let text = cursor.text(value)
                if text.isEmpty { return nil }
                return ("", text.hasPrefix("http") || text.hasPrefix("/") ? .address : .token)
            // `"next": {"href": "…"}`
            case .object:
                let name = ["href", "url", "uri"].first { holdsText($0, in: value) }
                return name.map { (Self.step($0), .address) }
            case .array, .null: return nil
            }
        }

        private func holdsText(_ name: String, in object: Int) -> Bool {
            var name = name
            return name.withUTF8 { name in
                cursor.member(object, name).map { cursor.kind($0) == .string && !cursor.rawString($0).isEmpty } ?? false
            }
        }

        /// `.name`, or `."@name"` if it is not an identifier.
        private static func step(_ name: String) -> String {
            let isWord = name.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F
            }
            let isPlain = isWord && name.utf8.first.map { !(0x30...0x39 ~= $0) } ?? false
            return isPlain ? ".\(name)" : ".\(JSONValue.text(String(name.prefix(60))).compactText)"
        }
    }

    /// How deep objects are searched: `data.viewer.items.pageInfo.hasNextPage`.
    private static let depth = 4
    /// Unambiguous names, without word separators.
    private static let clear: Set<String> = [
        "hasmore", "hasmoreitems", "hasmoreresults", "moreavailable", "hasnext", "hasnextpage", "nextpage",
        "nextpagetoken",
        "nextpageurl", "nextpagelink", "nextpagecursor", "nextcursor", "nextlink", "@odata.nextlink",
    ]
    /// Names that are ambiguous outside the context of paging.
    private static let vague: Set<String> = ["more", "next", "nexttoken", "nexturl", "nexthref", "nextoffset"]
    /// Names of objects about paging.
    private static let wrappers: Set<String> = [
        "meta", "metadata", "page", "pages", "pageinfo", "paging", "pagination", "pager", "links", "link", "cursor",
        "cursors",
        "responsemetadata", "paginginfo", "paginationinfo",
    ]

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
}
