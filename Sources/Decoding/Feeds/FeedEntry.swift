/// One entry of a feed in the shape that RSS and Atom share.
struct FeedEntry {
    private static let atom = ["http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#"]
    private static let content = ["http://purl.org/rss/1.0/modules/content/"]
    private static let dublinCore = ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/"]
    private static let media = ["http://search.yahoo.com/mrss/"]
    private static let podcast = ["http://www.itunes.com/dtds/podcast-1.0.dtd"]
    /// RSS itself: no namespace, or that of one of its versions.
    private static let own = [
        "", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/", "http://backend.userland.com/rss2",
        "http://blogs.law.harvard.edu/tech/rss",
    ]

    /// What a feed states for all of its entries.
    struct Common {
        var author: String?
        /// The base of relative addresses.
        var base: String?
    }

    struct Enclosure {
        var url: String
        var type: String?
        var length: String?
    }

    var id: String?
    var title: String?
    var url: String?
    var published: String?
    var updated: String?
    var author: String?
    var content: String?
    var summary: String?
    var categories: [String] = []
    var enclosures: [Enclosure] = []
    /// How many of its times are in no known form.
    private(set) var unreadTimes = 0

    private let tree: XMLTree
    private let names: XMLNames
    private let common: Common
    /// The entry's own namespace, and those of its members that are Atom's or RSS's.
    private let atom: [String]
    private let own: [String]

    /// Reads the element held by a tree.
    init(_ tree: XMLTree, _ names: XMLNames, _ common: Common = Common()) {
        (self.tree, self.names, self.common) = (tree, names, common)
        // Many feeds have no namespace, or one of their own version.
        let name = names.names[tree.nodes[0].name]
        let isAtom = name.local == "entry"
        atom = isAtom ? Self.atom + [name.namespace] : Self.atom
        own = isAtom ? Self.own : Self.own + [name.namespace]
        if isAtom { readAtom() } else { readRSS() }
        id = id ?? url
        categories = categories.filter { !$0.isEmpty }
    }

    /// The name of the feed's own author: in Atom in an element, in RSS the text.
    static func person(_ tree: XMLTree, _ names: XMLNames) -> String? {
        let entry = FeedEntry(person: tree, names)
        let all = entry.atom
        return entry.text("name", all) ?? (tree.nodes[0].elements == 0 ? entry.markup(0) : nil)
    }

    private init(person tree: XMLTree, _ names: XMLNames) {
        (self.tree, self.names, common) = (tree, names, Common())
        (atom, own) = (Self.atom + [names.names[tree.nodes[0].name].namespace], Self.own)
    }

    private mutating func readAtom() {
        id = text("id", atom)
        title = text("title", atom)
        published = time("published", atom) ?? time("issued", atom)
        updated = time("updated", atom) ?? time("modified", atom)
        author = elements("author", atom).compactMap { text("name", atom, in: $0) }.first ?? common.author
        content = text("content", atom)
        summary = text("summary", atom)
        categories = elements("category", atom).compactMap { attribute("term", $0) }
        readLinks()
    }

    private mutating func readLinks() {
        for link in elements("link", atom) {
            guard let target = address(attribute("href", link), in: link) else { continue }
            switch attribute("rel", link) ?? "alternate" {
            case "alternate": url = url ?? target
            case "enclosure": add(target, link, length: "length")
            default: break
            }
        }
    }

    private mutating func readRSS() {
        title = text("title", own) ?? text("title", Self.dublinCore)
        for link in elements("link", own) where url == nil { url = address(markup(link), in: link) }
        if url == nil { readLinks() }
        let guid = elements("guid", own).first
        id = guid.flatMap { markup($0) } ?? attribute("about", 0) ?? text("identifier", Self.dublinCore)
        // It is an address unless it says otherwise; many are not and do not say so.
        if url == nil, let guid, attribute("isPermaLink", guid) != "false", id?.contains("://") == true { url = id }
        published = time("pubDate", own) ?? time("date", Self.dublinCore) ?? time("published", atom)
        updated = time("updated", atom) ?? time("modified", Self.dublinCore)
        author =
            text("author", own) ?? text("creator", Self.dublinCore) ?? text("author", Self.podcast)
            ?? elements("author", atom).compactMap { text("name", atom, in: $0) }.first
        content = text("encoded", Self.content)
        summary = text("description", own) ?? text("summary", Self.podcast) ?? text("summary", atom)
        categories =
            elements("category", own).compactMap { markup($0) }
            + elements("subject", Self.dublinCore).compactMap { markup($0) }
        for enclosure in elements("enclosure", own) {
            if let target = address(attribute("url", enclosure), in: enclosure) {
                add(target, enclosure, length: "length")
            }
        }
        // Renditions of one item are grouped.
        let groups = elements("group", Self.media).flatMap { elements("content", Self.media, in: $0) }
        var known = Set(enclosures.map(\.url))
        for content in elements("content", Self.media) + groups {
            if let target = address(attribute("url", content), in: content), known.insert(target).inserted {
                add(target, content, length: "fileSize")
            }
        }
    }

    private mutating func add(_ url: String, _ element: Int, length: String) {
        enclosures.append(
            Enclosure(url: url, type: attribute("type", element), length: attribute(length, element))
        )
    }

    // MARK: - Lookup

    private func elements(_ name: String, _ namespaces: [String], in parent: Int = 0) -> [Int] {
        var found: [Int] = []
        var at = tree.nodes[parent].first
        while at >= 0 {
            let node = tree.nodes[at]
            if node.name >= 0, names.names[node.name].local == name,
                namespaces.contains(names.names[node.name].namespace)
            {
                found.append(at)
            }
            at = node.next
        }
        return found
    }

    private func text(_ name: String, _ namespaces: [String], in parent: Int = 0) -> String? {
        elements(name, namespaces, in: parent).lazy.compactMap { markup($0) }.first
    }

    private mutating func time(_ name: String, _ namespaces: [String]) -> String? {
        guard let text = text(name, namespaces) else { return nil }
        let time = FeedTime.normalised(text)
        if time == nil { unreadTimes += 1 }
        return time
    }

    private func attribute(_ name: String, _ element: Int) -> String? {
        let node = tree.nodes[element]
        let all = tree.attributes[node.attributes].filter { names.names[$0.name].local == name }
        // One without a prefix belongs to the element.
        let found = all.first { names.names[$0.name].namespace.isEmpty } ?? all.first
        return found.flatMap { Self.trimmed(tree.bytes[$0.from..<$0.to]) }
    }

    /// An absolute address, resolved against `xml:base` in the element, around it or in the feed.
    private func address(_ text: String?, in element: Int) -> String? {
        guard let text else { return nil }
        var base = common.base
        for holder in element == 0 ? [0] : [0, element] {
            let node = tree.nodes[holder]
            for attribute in tree.attributes[node.attributes] where names.names[attribute.name].isBase {
                let value = String(decoding: tree.bytes[attribute.from..<attribute.to], as: UTF8.self)
                base = RelativeReference.resolve(value, against: base)
            }
        }
        return base == nil ? text : RelativeReference.resolve(text, against: base)
    }

    /// An element's content: its text, or its markup if it has elements; `nil` for blanks. The `div` around XHTML is left out,
    /// as Atom requires.
    private func markup(_ element: Int) -> String? {
        guard tree.nodes[element].elements > 0 else { return Self.trimmed(tree.text(of: element)) }
        var inner = element
        if attribute("type", element) == "xhtml", tree.nodes[element].elements == 1,
            let only = elements("div", ["http://www.w3.org/1999/xhtml"], in: element).first
        {
            inner = only
        }
        var bytes: [UInt8] = []
        appendInside(of: inner, to: &bytes)
        return Self.trimmed(bytes)
    }

    private func appendInside(of element: Int, to bytes: inout [UInt8]) {
        var at = tree.nodes[element].first
        while at >= 0 {
            let node = tree.nodes[at]
            if node.name < 0 {
                Self.append(tree.bytes[node.from..<node.to], to: &bytes)
            } else {
                let name = names.names[node.name].local
                bytes += "<\(name)".utf8
                for attribute in tree.attributes[node.attributes] {
                    bytes += " \(names.names[attribute.name].written)=\"".utf8
                    Self.append(tree.bytes[attribute.from..<attribute.to], to: &bytes)
                    bytes.append(UInt8(ascii: "\""))
                }
                if node.first < 0 {
                    bytes += "/>".utf8
                } else {
                    bytes.append(UInt8(ascii: ">"))
                    appendInside(of: at, to: &bytes)
                    bytes += "</\(name)>".utf8
                }
            }
            at = node.next
        }
    }

    private static func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            default: bytes.append(byte)
            }
        }
    }

    private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String? {
        guard let last = bytes.lastIndex(where: { $0 > 0x20 }) else { return nil }
        return String(decoding: bytes[...last].drop { $0 <= 0x20 }, as: UTF8.self)
    }

    // MARK: - JSON

    /// Writes its members, always all of them, and leaves the object open.
    func writeMembers(to json: JSONBytes) {
        func member(_ name: String, _ value: String?, _ mark: StaticString = ",") {
            json.append(mark)
            json.appendString(name)
            json.append(":")
            if let value { json.appendString(value) } else { json.append("null") }
        }
        member("id", id, "{")
        member("title", title)
        member("url", url)
        member("published", published)
        member("updated", updated)
        member("author", author)
        member("content", content)
        member("summary", summary)
        json.append(#","categories":["#)
        for (at, category) in categories.enumerated() {
            if at > 0 { json.append(",") }
            json.appendString(category)
        }
        json.append(#"],"enclosures":["#)
        for (at, enclosure) in enclosures.enumerated() {
            if at > 0 { json.append(",") }
            member("url", enclosure.url, "{")
            member("type", enclosure.type)
            member("length", enclosure.length)
            json.append("}")
        }
        json.append("]")
    }
}
