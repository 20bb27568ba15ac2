/// The entries of a feed (RSS 0.9x, 1.0 and 2.0, Atom), in one shape: `id`, `title`, `url`, `published`, `updated`, `author`,
/// `content`, `summary`, `categories` and `enclosures`; the element itself is under `raw`.
struct FeedEntries: XMLShape {
    let options = XMLOptions()
    let readsAttributes = true
    let noun = "an entry"
    private var mapping = XMLMapping()
    /// What the feed states for all of its entries.
    private var common = FeedEntry.Common()

    init() {}

    func fault(ofRoot name: XMLNames.Name) -> String? {
        ["rss", "rdf", "feed"].contains(name.local.lowercased())
            ? nil : "its root element is neither 'rss' nor 'feed' nor 'RDF'"
    }

    func collects(_ name: XMLNames.Name, _ stack: [UInt32]) -> Bool {
        switch name.local {
        // An item of RSS is in the channel or beside it, an entry of Atom in the feed.
        case "item": (2...3).contains(stack.count)
        // An entry without an author has the feed's (RFC 4287, 4.2.1).
        case "entry", "author": stack.count == 2
        default: false
        }
    }

    mutating func learn(_ attribute: XMLNames.Name, _ value: UnsafeBufferPointer<UInt8>, depth: Int) {
        guard depth <= 2, attribute.isBase else { return }
        common.base = RelativeReference.resolve(String(decoding: value, as: UTF8.self), against: common.base)
    }

    mutating func take(_ tree: XMLTree, _ names: XMLNames, line: Int, into block: BlockBuilder) {
        if names.names[tree.nodes[0].name].local == "author" {
            common.author = common.author ?? FeedEntry.person(tree, names)
            return
        }
        block.begin()
        let entry = FeedEntry(tree, names, common)
        entry.writeMembers(to: block.json)
        if entry.unreadTimes > 0 { block.note(.unreadTime, count: entry.unreadTimes, line: line) }
        block.json.append(#","raw":"#)
        mapping.write(0, of: tree, names, to: block.json)
        block.json.append("}")
    }

    func explained(_ fault: DecodingFault) -> DecodingFault {
        guard fault.kind == .otherFormat, !fault.reason.hasSuffix("not a feed") else { return fault }
        var fault = fault
        fault.reason += ", not a feed"
        return fault
    }
}

extension XMLNames.Name {
    /// Whether it is `xml:base`, to which addresses inside are relative.
    var isBase: Bool { local == "base" && namespace == "http://www.w3.org/XML/1998/namespace" }
}
