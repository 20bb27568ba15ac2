extension Scenario {
    /// Small worlds whose answers are decoded, and delivered block by block.
    static let decoded: [(name: String, scenario: Scenario)] = [
        (
            "rows in blocks, of which one is broken",
            Scenario(
                streams: [StreamShape(name: "things", format: .delimited, paging: .cursor, pageSize: 6)],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                        .add(person: 0, stream: 0, .broken), .add(person: 0, stream: 0, .refusedByPDA),
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                    ]
                ]
            )
        ),
        (
            "lines in blocks, of which the last one is broken",
            Scenario(
                streams: [StreamShape(name: "things", format: .jsonLines, paging: .next, isMapped: true, pageSize: 5)],
                rounds: [
                    [
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0, .dropped),
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0, .broken),
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                    ]
                ]
            )
        ),
        (
            "lines in blocks, read since a time",
            Scenario(
                streams: [StreamShape(name: "things", format: .jsonLines, paging: .link, since: .time, pageSize: 5)],
                rounds: [
                    added(7),
                    [.change(person: 0, stream: 0, index: 1), .change(person: 0, stream: 0, index: 4)] + added(5),
                ]
            )
        ),
        (
            "rows in blocks behind the last one, newest first until all is known",
            Scenario(
                streams: [
                    StreamShape(
                        name: "things",
                        format: .delimited,
                        paging: .cursor,
                        pagesByLast: true,
                        order: .newestFirst,
                        since: .integer,
                        stopsAtKnown: true,
                        pageSize: 5
                    )
                ],
                rounds: [
                    added(7),
                    [
                        .change(person: 0, stream: 0, index: 0), .change(person: 0, stream: 0, index: 4),
                        .add(person: 0, stream: 0),
                    ],
                ]
            )
        ),
        (
            "a list of JSON in pieces of two, by token",
            Scenario(
                streams: [
                    StreamShape(
                        name: "things",
                        paging: .cursor,
                        order: .byID,
                        pageSize: 7,
                        deletes: .flagged
                    )
                ],
                blockRecords: 2,
                readsPieces: true,
                rounds: [
                    added(16),
                    [
                        .change(person: 0, stream: 0, index: 1), .delete(person: 0, stream: 0, index: 9),
                        .add(person: 0, stream: 0),
                    ],
                ]
            )
        ),
        (
            "elements in blocks of three, by number",
            Scenario(
                streams: [
                    StreamShape(
                        name: "things",
                        format: .xml,
                        paging: .number,
                        order: .byID,
                        pageSize: 5,
                        deletes: .flagged
                    )
                ],
                blockRecords: 3,
                rounds: [
                    added(7),
                    [
                        .change(person: 0, stream: 0, index: 1), .delete(person: 0, stream: 0, index: 3),
                        .add(person: 0, stream: 0),
                    ],
                ]
            )
        ),
        (
            "rows in blocks for each of some lines",
            Scenario(
                streams: [
                    StreamShape(name: "posts", format: .jsonLines, paging: .offset, order: .byID),
                    StreamShape(
                        name: "replies",
                        format: .delimited,
                        since: .integer,
                        pageSize: 5,
                        parent: 0,
                        keyHasParent: true
                    ),
                ],
                rounds: [
                    [.add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0)]
                        + [0, 2, 2, 2].map { .add(person: 0, stream: 1, parent: $0) },
                    [.add(person: 0, stream: 1, parent: 1), .change(person: 0, stream: 1, index: 1)],
                ]
            )
        ),
    ]
}
