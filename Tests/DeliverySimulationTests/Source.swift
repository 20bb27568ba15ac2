import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization

/// What a person has with the service: streams of things that come and change.
struct Account: Sendable {
    var items: [[Item]]
    var sequence = 0
    /// Things that were deleted, the last one last; they may come back.
    var removed: [(stream: Int, item: Item)] = []
    /// The ids of things that were not to be read for some time.
    var absent: Set<Int> = []
    /// Those of them that are there again and have not changed: no record tells it.
    var unchanged: Set<Int> = []

    /// Adds a thing.
    mutating func add(to stream: Int, at time: Int64, parent: Int? = nil, _ destiny: Destiny = .delivered) {
        sequence += 1
        items[stream].append(
            Item(
                id: Item.firstID + sequence,
                sequence: sequence,
                updated: time,
                parent: parent,
                destiny: destiny
            )
        )
    }

    /// Changes a thing; one that is gone is there again.
    mutating func change(_ index: Int, of stream: Int, at time: Int64, _ shapes: [StreamShape]) {
        let item = items[stream][index]
        items[stream][index].isGone = false
        renew(index, of: stream, at: time)
        if item.isGone { unchanged.formUnion(all(below: item.id, of: stream, shapes)) }
    }

    /// Says of a thing that it is gone; what is below it is not read any more.
    mutating func delete(_ index: Int, of stream: Int, at time: Int64, _ shapes: [StreamShape]) {
        items[stream][index].isGone = true
        renew(index, of: stream, at: time)
        absent.formUnion(all(below: items[stream][index].id, of: stream, shapes))
    }

    /// The ids of all that is below a thing.
    private func all(below id: Int, of stream: Int, _ shapes: [StreamShape]) -> [Int] {
        shapes.indices.filter { shapes[$0].parent == stream }.flatMap { child in
            items[child].filter { $0.parent == id }.flatMap { [$0.id] + all(below: $0.id, of: child, shapes) }
        }
    }

    private mutating func renew(_ index: Int, of stream: Int, at time: Int64) {
        sequence += 1
        unchanged.remove(items[stream][index].id)
        items[stream][index].version += 1
        items[stream][index].sequence = sequence
        items[stream][index].updated = time
    }

    /// Says that something below a thing is new or has changed, and of what is above it, as far as that says such things.
    mutating func touch(_ id: Int?, of stream: Int, at time: Int64, _ shapes: [StreamShape]) {
        guard let index = items[stream].firstIndex(where: { $0.id == id }) else { return }
        renew(index, of: stream, at: time)
        guard let above = shapes[stream].parent, shapes[stream].touchesParent else { return }
        touch(items[stream][index].parent, of: above, at: time, shapes)
    }

    /// Deletes a thing and the things below it.
    mutating func remove(_ index: Int, of stream: Int, at time: Int64, _ shapes: [StreamShape]) {
        let item = items[stream].remove(at: index)
        bury(item, of: stream)
        if shapes[stream].isInside, let above = shapes[stream].parent {
            touch(item.parent, of: above, at: time, shapes)
        }
        buryAll(below: item.id, of: stream, shapes)
        for list in shapes.indices where shapes[list].tombstonesOf == stream {
            var stone = item
            (stone.isGone, stone.destiny) = (true, .delivered)
            items[list].append(stone)
            renew(items[list].count - 1, of: list, at: time)
        }
    }

    private mutating func buryAll(below id: Int, of stream: Int, _ shapes: [StreamShape]) {
        for child in shapes.indices where shapes[child].parent == stream {
            for below in items[child] where below.parent == id {
                bury(below, of: child)
                buryAll(below: below.id, of: child, shapes)
            }
            items[child].removeAll { $0.parent == id }
        }
    }

    private mutating func bury(_ item: Item, of stream: Int) {
        absent.insert(item.id)
        removed.append((stream, item))
    }

    /// Something that was deleted last comes back in another version, if what it belongs to is there.
    mutating func restore(_ shapes: [StreamShape], at time: Int64) {
        let place = removed.lastIndex { stream, item in
            guard shapes[stream].deletes == .missing, shapes[stream].versions == .declared else { return false }
            guard let parent = shapes[stream].parent else { return true }
            return items[parent].contains { $0.id == item.parent }
        }
        guard let place else { return }
        let (stream, item) = removed.remove(at: place)
        items[stream].append(item)
        change(items[stream].count - 1, of: stream, at: time, shapes)
        if shapes[stream].isInside, let above = shapes[stream].parent {
            touch(item.parent, of: above, at: time, shapes)
        }
    }
}

/// A few things that the source deletes.
struct Removal: Sendable {
    var person: Int
    var stream: Int
    /// Where the first of them stands, counted round the stream's things.
    var from: Int
    var count = 1
}

/// Things that change while somebody may be reading: each moves in a list by time, and shifts others.
struct Edit: Sendable {
    var person: Int
    var stream: Int
    /// Where the first of them stands, counted round the stream's things.
    var from: Int
    var count = 1
}

/// The service: a paged API over people's accounts.
struct Source: Sendable {
    var streams: [StreamShape]
    var people: [String]
    var accounts: [Account]
    /// Tokens of an older epoch are not known any more.
    var epoch = 1
    var goneStatus = 410
    var violations: [String] = []
    /// Whether only the first half of each list is given.
    var isHalf = false
    var tokens: TokenService
    /// The most records of a block of a decoded answer.
    var blockRecords = Int.max
    /// Whether answers of JSON come in blocks, too.
    var isReadInPieces = false
    /// What each request for a parent's children comes to, by the parent's id.
    var stumbles: [Int: Stumble] = [:]
    /// What was worked out already, by person and sequence.
    private var versions: [Int: Version] = [:]

    init(streams: [StreamShape], people: [String], accounts: [Account], access: Access = Access()) {
        tokens = TokenService(access, people: people)
        self.streams = streams
        self.people = people
        self.accounts = accounts
    }

    /// What has to become of a thing.
    mutating func version(_ item: Item, of stream: Int, _ person: Int) throws -> Version {
        let key = person << 32 | item.sequence
        if let version = versions[key] { return version }
        let endpoint = streams[stream].tombstonesOf.map { streams[$0].name }
        let inside = inside(item, of: stream, person)
        let version = try streams[stream].version(item, of: people[person], inside: inside, to: endpoint)
        versions[key] = version
        return version
    }

    /// What has to become of everything that a person has now and can be read.
    mutating func readable(of person: Int) throws -> [Version] {
        try accounts[person].items.enumerated().flatMap { stream, items in
            try items.filter { isReadable($0, of: stream, person) }.map { try version($0, of: stream, person) }
        }
    }

    private func isReadable(_ item: Item, of stream: Int, _ person: Int) -> Bool {
        guard let above = streams[stream].parent, let id = item.parent else { return true }
        // What stands in its parent's record is not asked for.
        guard streams[stream].isInside || stumbles[id] == nil,
            let parent = accounts[person].items[above].first(where: { $0.id == id })
        else { return false }
        // What its stream drops nothing is read for.
        return !parent.isGone && parent.destiny != .dropped && isReadable(parent, of: above, person)
    }

    /// The members of a thing's record that hold what stands in it.
    func inside(_ item: Item, of stream: Int, _ person: Int) -> String {
        streams.indices.filter { streams[$0].isInside && streams[$0].parent == stream }.map { child in
            let below = accounts[person].items[child].filter { $0.parent == item.id }
            let texts = below.map { streams[child].text($0, of: people[person]) }
            return "\"\(streams[child].name)\": [\(texts.joined(separator: ", "))], "
        }.joined()
    }

    /// What may be told of a person's things because they are missing.
    func deletions(of person: Int) throws -> [Version] {
        try accounts[person].items.enumerated().flatMap { stream, items in
            try streams[stream].deletes == .missing ? items.map { try streams[stream].deletion($0) } : []
        }
    }

    /// What has to become of everything that a person has now.
    mutating func versions(of person: Int) throws -> [Version] {
        try accounts[person].items.enumerated().flatMap { stream, items in
            try items.map { try version($0, of: stream, person) }
        }
    }

    /// Deletes things, as far as there are any.
    ///
    /// - Parameter isRead: Whether somebody may be reading. Then things that stand in others stay: those would change, and
    ///   move behind the reader.
    mutating func remove(_ removal: Removal, at time: Int64, whileRead isRead: Bool = false) {
        if isRead, streams[removal.stream].isInside { return }
        for _ in 0..<removal.count {
            let items = accounts[removal.person].items[removal.stream]
            if items.isEmpty || streams[removal.stream].tombstonesOf != nil { return }
            // A page on which nothing else is left would be a manifest that does not fit.
            if items.contains(where: { $0.destiny.fitsNothing }) { return }
            accounts[removal.person].remove(removal.from % items.count, of: removal.stream, at: time, streams)
        }
    }

    /// Changes things, where things change.
    mutating func edit(_ edit: Edit, at time: Int64) {
        let shape = streams[edit.stream]
        if shape.isInside || shape.versions == .none || shape.tombstonesOf != nil { return }
        // One that moves to where the pass has been is missing from it, and is there again in the next one.
        if shape.deletes == .missing, shape.order == .newestFirst { return }
        for number in 0..<edit.count {
            let items = accounts[edit.person].items[edit.stream]
            if items.isEmpty { return }
            let index = (edit.from + number) % items.count
            if items[index].isGone || items[index].destiny == .broken { continue }
            change(index, of: edit.stream, edit.person, at: time)
        }
    }

    /// Changes a thing, and what it belongs to if that says so.
    mutating func change(_ index: Int, of stream: Int, _ person: Int, at time: Int64) {
        accounts[person].change(index, of: stream, at: time, streams)
        guard let above = streams[stream].parent, streams[stream].touchesParent else { return }
        accounts[person].touch(accounts[person].items[stream][index].parent, of: above, at: time, streams)
    }

    enum Answer {
        case page(SourcePage)
        case status(Int)
        case failure(Stumble)
    }

    /// Answers a request that nothing went wrong with.
    mutating func answer(_ request: HTTPRequest, now: Int64) throws -> Answer {
        guard request.method == "GET", request.side == .source, let url = try? HTTPURL(request.url),
            url.origin == "https://api.example.org"
        else { return refuse("\(request.method) \(request.url) is no request for the source") }
        let parts = url.path.split(separator: "/").map(String.init)
        guard parts.count >= 2, let person = people.firstIndex(of: parts[0]),
            let at = streams.firstIndex(where: { $0.name == parts[1] })
        else { return refuse("\(url.path) is no path of the source") }
        let proof = request.headers.first { $0.name == "Authorization" }?.value
        guard tokens.accepts(proof, for: person, now: now) else { return .status(401) }
        var query: [String: String] = [:]
        for pair in (url.query ?? "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
            query[sides[0]] = sides.count > 1 ? sides[1] : ""
        }
        let shape = streams[at]
        let parent = parts.count > 2 ? Int(parts[2]) : nil
        if shape.shares > 0 {
            guard parts.count == 4, let share = Int(parts[3]), share < shape.shares else {
                return refuse("\(url.path) is no share of \(shape.name)")
            }
            query["share"] = parts[3]
        }
        if let above = shape.parent, !accounts[person].items[above].contains(where: { $0.id == parent }) {
            return .status(404)
        }
        if let stumble = parent.flatMap({ stumbles[$0] }) { return .failure(stumble) }
        let list = list(shape, accounts[person].items[at], parent: parent, query)
        guard let (range, token) = range(shape, list, query) else { return .status(goneStatus) }
        if let limit = shape.searchLimit, range.upperBound > limit { return .status(422) }
        if let limit = shape.heavyLimit, range.count > limit, list[range].contains(where: \.isHeavy) {
            return .status(413)
        }
        let items = Array(list[range])
        var next: String?
        if let token, shape.isKeyed {
            let since = ["changed_since", "changed_until"].compactMap { name in query[name].map { "&\(name)=\($0)" } }
                .joined()
            next = "https://api.example.org\(url.path)?after=\(token)\(since)"
        }
        var page = try page(items, of: at, person, next: next, token: token)
        if shape.skipsUnchanged {
            // What changes has another sequence.
            let tag = "\"\((items.map { "\($0.id).\($0.sequence)" } + [next ?? ""]).joined(separator: "-"))\""
            if HTTPHeaders(request.headers).first("If-None-Match") == tag { return .status(304) }
            page.headers.append(HTTPHeader("ETag", tag))
        }
        return .page(page)
    }

    private mutating func refuse(_ why: String) -> Answer {
        violations.append(why)
        return .status(403)
    }

    private mutating func list(_ shape: StreamShape, _ items: [Item], parent: Int?, _ query: [String: String]) -> [Item]
    {
        var list = items
        if shape.parent != nil { list.removeAll { $0.parent != parent } }
        if let share = query["share"].flatMap({ Int($0) }) { list.removeAll { $0.id % shape.shares != share } }
        if let since = query["changed_since"].flatMap({ Int64($0) }) {
            list.removeAll { shape.since == .integer ? Int64($0.sequence) < since : $0.updated < since }
        }
        if let until = query["changed_until"].flatMap({ Int64($0) }) {
            list.removeAll { shape.windows == .exclusive ? $0.updated >= until : $0.updated > until }
        } else if shape.windows != .none {
            violations.append("\(shape.name) was asked for without an end")
        }
        switch shape.order {
        case .newestFirst: list.sort { $0.sequence > $1.sequence }
        case .oldestFirst: list.sort { $0.sequence < $1.sequence }
        case .byID: list.sort { $0.id < $1.id }
        }
        return isHalf ? Array(list.prefix(list.count / 2)) : list
    }

    /// The part of the list that was asked for and the token of the next, `nil` where the place is not known.
    private func range(
        _ shape: StreamShape,
        _ list: [Item],
        _ query: [String: String]
    ) -> (Range<Int>, String?)? {
        var start = 0
        let size = query["limit"].flatMap { Int($0) } ?? shape.pageSize
        switch shape.paging {
        case .number: start = ((query["page"].flatMap { Int($0) } ?? 1) - 1) * size
        case .offset: start = query["offset"].flatMap { Int($0) } ?? 0
        case .next, .link, .cursor:
            guard let token = query["after"] else { break }
            // What is made of a record is never forgotten.
            let parts = ((shape.pagesByLast ? "\(epoch)-" : "") + token).split(separator: "-").compactMap { Int($0) }
            guard parts.count == 2, parts[0] == epoch else { return nil }
            start =
                list.firstIndex { item in
                    switch shape.order {
                    case .newestFirst: item.sequence < parts[1]
                    case .oldestFirst: item.sequence > parts[1]
                    case .byID: item.id > parts[1]
                    }
                } ?? list.count
        }
        start = min(start, list.count)
        var end = min(start + size, list.count)
        // A page of one record that does not fit would be a manifest that does not fit: what stood beside it may have changed, and
        // stand before the place now.
        while start > 0, start < end, list[start..<end].allSatisfy(\.destiny.fitsNothing) { start -= 1 }
        if shape.isKeyed, shape.heavyLimit == nil, shape.searchLimit == nil, end + 1 == list.count { end = list.count }
        guard shape.isKeyed, end < list.count, let last = list[start..<end].last else { return (start..<end, nil) }
        return (start..<end, "\(epoch)-\(shape.order == .byID ? last.id : last.sequence)")
    }
}
