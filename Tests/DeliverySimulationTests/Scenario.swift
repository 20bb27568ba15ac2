/// A world to simulate: streams, people, and how their things come and change.
struct Scenario: Sendable {
    var streams: [StreamShape]
    var people = ["ada"]
    /// How much complete pages gather for one commit; 0 commits each page.
    var commitBytes = 0
    /// The most records of a block of a decoded answer.
    var blockRecords = 2
    /// Whether answers of JSON are read in pieces.
    var readsPieces = false
    /// What the source takes for a proof of whose account is read.
    var access = Access()
    /// What happens at the source before each round of runs.
    var rounds: [[Change]]

    enum Change: Sendable {
        case add(person: Int, stream: Int, parent: Int? = nil, Destiny = .delivered)
        /// Changes the thing at an index, where there is one.
        case change(person: Int, stream: Int, index: Int)
        /// The source says that the thing at an index is gone, where there is one.
        case delete(person: Int, stream: Int, index: Int)
        case remove(Removal)
        /// The person's thing that was removed last comes back.
        case restore(person: Int)
        /// From now on the source fails for the children of the thing at an index, where there is one.
        case stumble(person: Int, stream: Int, index: Int, Stumble)
        /// All tokens that name places are forgotten.
        case forget(status: Int)
    }

    /// Whether the PDA fails at single records until it is mended.
    var hasStumblingRecords: Bool {
        rounds.joined().contains { if case .add(_, _, _, .stumbling) = $0 { true } else { false } }
    }

    /// Whether the source fails for single parents, or the PDA at single records, until they are mended.
    var hasStumbles: Bool {
        hasStumblingRecords || rounds.joined().contains { if case .stumble = $0 { true } else { false } }
    }

    func world(seed: UInt64, disk: (WorldClock) -> any Disk = { MemoryDisk($0) }) throws -> World {
        try World(seed: seed, self, disk: disk)
    }

    /// Lets the changes of a round happen.
    func change(_ world: World, round: Int) throws {
        let changes = rounds[round]
        try world.change { source, time in
            for (at, change) in changes.enumerated() {
                // Some things happen in the same second.
                let time = time - Int64((changes.count - at) / 2)
                switch change {
                case .add(let person, let stream, let parent, let destiny):
                    let above = source.streams[stream].parent
                    let id = parent.flatMap { index -> Int? in
                        guard let items = above.map({ source.accounts[person].items[$0] }), !items.isEmpty else {
                            return nil
                        }
                        return items[index % items.count].id
                    }
                    // All that it could belong to is deleted.
                    if above != nil, id == nil { continue }
                    source.accounts[person].add(to: stream, at: time, parent: id, destiny)
                    if let above, source.streams[stream].touchesParent {
                        source.accounts[person].touch(id, of: above, at: time, source.streams)
                    }
                case .change(let person, let stream, let index):
                    guard source.accounts[person].items[stream].indices.contains(index) else { continue }
                    source.change(index, of: stream, person, at: time)
                case .stumble(let person, let stream, let index, let stumble):
                    let items = source.accounts[person].items[stream]
                    if !items.isEmpty { source.stumbles[items[index % items.count].id] = stumble }
                case .delete(let person, let stream, let index):
                    let items = source.accounts[person].items[stream]
                    // A page on which nothing else is left would be a manifest that does not fit.
                    if items.isEmpty || items.contains(where: { $0.destiny.fitsNothing }) { continue }
                    let index = index % items.count
                    source.accounts[person].delete(index, of: stream, at: time, source.streams)
                    if let above = source.streams[stream].parent, source.streams[stream].touchesParent {
                        source.accounts[person].touch(items[index].parent, of: above, at: time, source.streams)
                    }
                case .remove(let removal): source.remove(removal, at: time)
                case .restore(let person): source.accounts[person].restore(source.streams, at: time)
                case .forget(let status):
                    source.epoch += 1
                    source.goneStatus = status
                }
            }
        }
    }
}

extension Scenario {
    /// Two pages of one stream.
    static let smallest = Scenario(streams: [StreamShape(name: "things")], rounds: [added(3)])

    /// Small worlds that between them have everything.
    static let small = plain + decoded + embedded + withTokens

    private static let plain: [(name: String, scenario: Scenario)] = [
        ("pages with next links", Scenario(streams: [StreamShape(name: "things")], rounds: [added(5)])),
        (
            "pages that are committed together",
            Scenario(
                streams: [StreamShape(name: "things", since: .time, isAscending: true)],
                commitBytes: 8 << 10,
                rounds: [
                    added(5),
                    [
                        .change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0, .refusedByPDA),
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                    ],
                ]
            )
        ),
        (
            "children that are committed together, two by two",
            Scenario(
                streams: [
                    StreamShape(name: "posts", paging: .cursor, order: .byID),
                    StreamShape(name: "replies", since: .time, parent: 0, keyHasParent: true),
                ],
                commitBytes: 100,
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 1),
                        .add(person: 0, stream: 1, parent: 2), .add(person: 0, stream: 1, parent: 2),
                    ],
                    [.add(person: 0, stream: 1, parent: 1), .change(person: 0, stream: 1, index: 1)],
                ]
            )
        ),
        (
            "records that a map or the PDA refuses",
            Scenario(
                streams: [StreamShape(name: "things", paging: .cursor, isMapped: true, pageSize: 3)],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0, .refusedByPDA),
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 0, .unmappable), .add(person: 0, stream: 0, .dropped),
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                    ]
                ]
            )
        ),
        (
            "newest first by number, read since a time, changing",
            Scenario(
                streams: [StreamShape(name: "things", paging: .number, order: .newestFirst, since: .time)],
                rounds: [
                    added(4),
                    [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0), .add(person: 0, stream: 0)],
                ]
            )
        ),
        (
            "oldest first in order, read since a number, changing",
            Scenario(
                streams: [StreamShape(name: "things", paging: .link, since: .integer, isAscending: true)],
                rounds: [
                    added(5),
                    [
                        .change(person: 0, stream: 0, index: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 0), .forget(status: 410),
                    ],
                ]
            )
        ),
        (
            "parents with children",
            Scenario(
                streams: [
                    StreamShape(name: "posts", paging: .offset, order: .byID),
                    StreamShape(
                        name: "replies",
                        since: .time,
                        parent: 0,
                        keyHasParent: true
                    ),
                ],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 2),
                        .add(person: 0, stream: 1, parent: 2), .add(person: 0, stream: 1, parent: 2),
                    ],
                    [.add(person: 0, stream: 1, parent: 1), .change(person: 0, stream: 1, index: 1)],
                ]
            )
        ),
        (
            "children whose page is unchanged",
            Scenario(
                streams: [
                    StreamShape(name: "posts", paging: .offset, order: .byID),
                    StreamShape(name: "replies", pageSize: 3, parent: 0, skipsUnchanged: true),
                ],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 2),
                        .add(person: 0, stream: 1, parent: 2),
                    ],
                    [.add(person: 0, stream: 1, parent: 1), .change(person: 0, stream: 1, index: 1)],
                    [],
                    [.change(person: 0, stream: 1, index: 2), .add(person: 0, stream: 1, parent: 0)],
                ]
            )
        ),
        (
            "parents that have changed, with children",
            Scenario(
                streams: [
                    StreamShape(name: "posts", paging: .cursor, order: .newestFirst, since: .time),
                    StreamShape(name: "replies", paging: .offset, order: .byID, parent: 0, onlyChanged: true),
                ],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 2),
                        .add(person: 0, stream: 1, parent: 2),
                    ],
                    [.add(person: 0, stream: 1, parent: 1), .change(person: 0, stream: 1, index: 1)],
                ]
            )
        ),
        (
            "every combination of a list and parents",
            Scenario(
                streams: [
                    StreamShape(name: "posts"),
                    StreamShape(name: "replies", since: .integer, parent: 0, shares: 2),
                ],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 1),
                        .add(person: 0, stream: 1, parent: 1), .add(person: 0, stream: 1, parent: 1),
                    ],
                    [.add(person: 0, stream: 1, parent: 0), .change(person: 0, stream: 1, index: 1)],
                ]
            )
        ),
        (
            "changes behind a place that the source has forgotten, without versions",
            Scenario(
                streams: [
                    StreamShape(name: "notes", paging: .cursor, order: .byID, since: .time, versions: .undeclared)
                ],
                rounds: [
                    added(6),
                    [
                        .change(person: 0, stream: 0, index: 0), .change(person: 0, stream: 0, index: 1),
                        .change(person: 0, stream: 0, index: 4), .change(person: 0, stream: 0, index: 5),
                        .forget(status: 410),
                    ],
                ]
            )
        ),
        (
            "windows that end where things change, in order",
            Scenario(
                streams: [
                    StreamShape(name: "things", since: .time, isAscending: true, windows: .closed)
                ],
                rounds: [added(5), [.change(person: 0, stream: 0, index: 0), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "windows with exclusive ends, by number",
            Scenario(
                streams: [
                    StreamShape(name: "things", paging: .number, order: .byID, since: .time, windows: .exclusive)
                ],
                rounds: [added(4), [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "windows of children",
            Scenario(
                streams: [
                    StreamShape(name: "posts", paging: .cursor, order: .byID),
                    StreamShape(name: "replies", since: .time, windows: .shared, parent: 0, keyHasParent: true),
                ],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 1, parent: 0),
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 0),
                        .add(person: 0, stream: 1, parent: 1),
                    ],
                    [.add(person: 0, stream: 1, parent: 1), .change(person: 0, stream: 1, index: 1)],
                ]
            )
        ),
        (
            "newest first until all is known",
            Scenario(
                streams: [
                    StreamShape(name: "things", paging: .offset, order: .newestFirst, since: .time, stopsAtKnown: true)
                ],
                rounds: [
                    added(7),
                    [
                        .change(person: 0, stream: 0, index: 0), .change(person: 0, stream: 0, index: 5),
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                    ],
                ]
            )
        ),
        (
            "pages that are too big, by number",
            Scenario(
                streams: [
                    StreamShape(
                        name: "things",
                        paging: .number,
                        order: .newestFirst,
                        since: .time,
                        pageSize: 6,
                        heavyLimit: 2
                    )
                ],
                rounds: [added(9), [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "pages that are too big, by offset",
            Scenario(
                streams: [
                    StreamShape(name: "things", paging: .offset, order: .byID, since: .time, pageSize: 4, heavyLimit: 1)
                ],
                rounds: [added(5), [.change(person: 0, stream: 0, index: 0), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "pages that are too big, by token",
            Scenario(
                streams: [StreamShape(name: "things", paging: .cursor, pageSize: 5, heavyLimit: 1)],
                rounds: [added(6)]
            )
        ),
        (
            "a search that gives only so much, oldest first",
            Scenario(
                streams: [
                    StreamShape(name: "things", paging: .cursor, since: .integer, isAscending: true, searchLimit: 3)
                ],
                rounds: [added(8), [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "a search that gives only so much, newest first by number",
            Scenario(
                streams: [
                    StreamShape(name: "things", paging: .number, order: .newestFirst, since: .time, searchLimit: 7)
                ],
                rounds: [added(12), [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "a search that gives only so much, in windows without order",
            Scenario(
                streams: [
                    StreamShape(
                        name: "things",
                        paging: .offset,
                        order: .byID,
                        since: .time,
                        windows: .closed,
                        searchLimit: 4
                    )
                ],
                rounds: [added(7), [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "things that the source says are gone, and that come back",
            Scenario(
                streams: [StreamShape(name: "things", paging: .cursor, since: .time, pageSize: 1, deletes: .flagged)],
                rounds: [
                    added(5) + [.delete(person: 0, stream: 0, index: 4)],
                    [
                        .delete(person: 0, stream: 0, index: 0), .delete(person: 0, stream: 0, index: 2),
                        .change(person: 0, stream: 0, index: 4),
                    ],
                    [
                        .change(person: 0, stream: 0, index: 0), .delete(person: 0, stream: 0, index: 4),
                        .add(person: 0, stream: 0), .delete(person: 0, stream: 0, index: 5),
                    ],
                ]
            )
        ),
        (
            "a list of what another stream has no more",
            Scenario(
                streams: [
                    StreamShape(name: "things"),
                    StreamShape(name: "stones", paging: .offset, order: .byID, since: .time, tombstonesOf: 0),
                ],
                rounds: [
                    added(4), [.remove(Removal(person: 0, stream: 0, from: 1, count: 2)), .add(person: 0, stream: 0)],
                ]
            )
        ),
        (
            "what is missing is gone, and may come back",
            Scenario(
                streams: [StreamShape(name: "things", paging: .number, order: .newestFirst, deletes: .missing)],
                rounds: [
                    added(5),
                    [.remove(Removal(person: 0, stream: 0, from: 1, count: 2)), .add(person: 0, stream: 0)],
                    [.restore(person: 0), .remove(Removal(person: 0, stream: 0, from: 0))],
                ]
            )
        ),
        (
            "children that are missing, with their parents and without",
            Scenario(
                streams: [
                    StreamShape(name: "posts", paging: .cursor, deletes: .missing),
                    StreamShape(name: "replies", order: .byID, parent: 0, keyHasParent: true, deletes: .missing),
                ],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 0),
                        .add(person: 0, stream: 1, parent: 2), .add(person: 0, stream: 1, parent: 2),
                    ],
                    [
                        .remove(Removal(person: 0, stream: 0, from: 0)),
                        .remove(Removal(person: 0, stream: 1, from: 1)),
                        .add(person: 0, stream: 1, parent: 1),
                    ],
                ]
            )
        ),
        (
            "children of a parent that is gone for a while",
            Scenario(
                streams: [
                    StreamShape(name: "posts", paging: .cursor, deletes: .flagged),
                    StreamShape(name: "replies", order: .byID, parent: 0, deletes: .missing),
                ],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 1, parent: 0),
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 1),
                    ],
                    [.delete(person: 0, stream: 0, index: 0)],
                    // One of its children is what it was, the other one is not.
                    [.change(person: 0, stream: 0, index: 0), .change(person: 0, stream: 1, index: 1)],
                ]
            )
        ),
        (
            "two people, without versions and identities",
            Scenario(
                streams: [
                    StreamShape(name: "notes", versions: .undeclared, pageSize: 3),
                    StreamShape(name: "marks", versions: .none, hasIdentity: false, pageSize: 3),
                ],
                people: ["ada", "bob"],
                rounds: [
                    (0..<2).flatMap { person in
                        [
                            Change.add(person: person, stream: 0), .add(person: person, stream: 0),
                            .add(person: person, stream: 1), .add(person: person, stream: 1),
                        ]
                    },
                    [.change(person: 0, stream: 0, index: 0), .change(person: 1, stream: 0, index: 1)],
                ]
            )
        ),
    ]

    static func added(_ count: Int) -> [Change] { (0..<count).map { _ in .add(person: 0, stream: 0) } }
}
