extension Scenario {
    /// Rooms with threads with notes, the notes read for changed threads alone.
    static let levels: [(name: String, scenario: Scenario)] = [
        (
            "changed all the way down",
            Scenario(
                streams: [
                    StreamShape(name: "rooms", paging: .cursor, order: .newestFirst, since: .time),
                    StreamShape(
                        name: "threads",
                        paging: .offset,
                        order: .byID,
                        since: .integer,
                        parent: 0,
                        onlyChanged: true
                    ),
                    StreamShape(name: "notes", paging: .next, parent: 1, keyHasParent: true, onlyChanged: true),
                ],
                rounds: threeRounds
            )
        ),
        (
            "changed below all rooms, with watermarks at each level",
            Scenario(
                streams: [
                    StreamShape(name: "rooms", paging: .number, order: .byID),
                    StreamShape(name: "threads", paging: .cursor, since: .time, isAscending: true, parent: 0),
                    StreamShape(name: "notes", paging: .cursor, since: .integer, parent: 1, onlyChanged: true),
                ],
                rounds: threeRounds
            )
        ),
        (
            "threads in windows",
            Scenario(
                streams: [
                    StreamShape(name: "rooms", since: .integer, isAscending: true, pageSize: 1),
                    StreamShape(name: "threads", since: .time, windows: .closed, parent: 0, onlyChanged: true),
                    StreamShape(name: "notes", paging: .offset, order: .byID, parent: 1, onlyChanged: true),
                ],
                rounds: threeRounds
            )
        ),
    ]

    private static let threeRounds: [[Change]] = [
        [
            .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
            .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 0),
            .add(person: 0, stream: 1, parent: 2),
            .add(person: 0, stream: 2, parent: 0), .add(person: 0, stream: 2, parent: 1),
            .add(person: 0, stream: 2, parent: 1), .add(person: 0, stream: 2, parent: 1),
            .add(person: 0, stream: 2, parent: 2),
        ],
        [
            .add(person: 0, stream: 2, parent: 0), .change(person: 0, stream: 2, index: 2),
            .add(person: 0, stream: 1, parent: 1), .add(person: 0, stream: 2, parent: 3),
        ],
        [
            .remove(Removal(person: 0, stream: 0, from: 2)), .remove(Removal(person: 0, stream: 1, from: 0)),
            .add(person: 0, stream: 2, parent: 0), .forget(status: 410),
        ],
    ]

    /// A world of three levels by chance.
    init(levels chance: inout Chance) {
        people = Array(["ada", "bob"].prefix(chance.happens(800) ? 1 : 2))
        var streams: [StreamShape] = []
        for at in 0..<3 {
            var shape = Self.shape(at, streams, &chance)
            shape.name = ["rooms", "threads", "notes"][at]
            shape.parent = at == 0 ? nil : at - 1
            shape.keyHasParent = at > 0 && chance.happens(500)
            shape.shares = 0
            // What is read in part cannot be compared, and the lowest is read for changed ones.
            if shape.deletes == .missing { shape.deletes = .flagged }
            streams.append(shape)
        }
        streams[1].onlyChanged = chance.happens(600)
        streams[2].onlyChanged = true
        if !streams[1].onlyChanged || chance.happens(800), streams[1].since == .none {
            streams[1].since = chance.one(of: .time, .integer)
        }
        if streams[1].onlyChanged, streams[0].since == .none { streams[0].since = .time }
        // They change with each of their children, and say so.
        for at in 0..<2 { (streams[at].versions, streams[at].hasIdentity) = (.declared, true) }
        self.streams = streams
        rounds = []
        var sizes = people.map { _ in streams.map { _ in 0 } }
        for round in 0..<chance.number(2...4) {
            rounds.append(Self.changes(streams, isFirst: round == 0, &sizes, &chance))
        }
    }
}
