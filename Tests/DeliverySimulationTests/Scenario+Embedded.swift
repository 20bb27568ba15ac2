extension Scenario {
    /// Small worlds whose things stand in the records of others.
    static let embedded: [(name: String, scenario: Scenario)] = [
        (
            "lines inside of orders",
            Scenario(
                streams: [
                    StreamShape(name: "orders", paging: .cursor, order: .byID),
                    StreamShape(name: "lines", isMapped: true, parent: 0, isInside: true, keyHasParent: true),
                ],
                rounds: [
                    orders + [
                        .add(person: 0, stream: 1, parent: 0), .add(person: 0, stream: 1, parent: 0, .refusedByPDA),
                        .add(person: 0, stream: 1, parent: 2), .add(person: 0, stream: 1, parent: 2, .dropped),
                    ],
                    [.add(person: 0, stream: 1, parent: 1), .change(person: 0, stream: 1, index: 0)],
                ]
            )
        ),
        (
            "lines inside of orders that are not delivered, by number",
            Scenario(
                streams: [
                    StreamShape(name: "orders", paging: .number, order: .newestFirst, isDelivered: false),
                    StreamShape(name: "lines", parent: 0, isInside: true, deletes: .missing),
                ],
                rounds: [
                    orders + lines,
                    [
                        .remove(Removal(person: 0, stream: 1, from: 1)),
                        .remove(Removal(person: 0, stream: 0, from: 0)),
                        .add(person: 0, stream: 1, parent: 1),
                    ],
                ]
            )
        ),
        (
            "lines inside of orders that have changed, and their notes",
            Scenario(
                streams: [
                    StreamShape(name: "orders", format: .jsonLines, paging: .link, order: .newestFirst, since: .time),
                    StreamShape(name: "lines", parent: 0, isInside: true, onlyChanged: true),
                    StreamShape(
                        name: "notes",
                        versions: .undeclared,
                        parent: 0,
                        isInside: true,
                        keyHasParent: true,
                        onlyChanged: true
                    ),
                ],
                rounds: [
                    orders + lines + [.add(person: 0, stream: 2, parent: 0), .add(person: 0, stream: 2, parent: 1)],
                    [.add(person: 0, stream: 1, parent: 1), .change(person: 0, stream: 2, index: 0)],
                ]
            )
        ),
        (
            "lines inside of orders of which some are gone",
            Scenario(
                streams: [
                    StreamShape(name: "orders", paging: .offset, order: .byID, deletes: .flagged),
                    StreamShape(name: "lines", parent: 0, isInside: true, keyHasParent: true, deletes: .flagged),
                ],
                rounds: [
                    orders + lines,
                    [
                        .delete(person: 0, stream: 0, index: 0), .delete(person: 0, stream: 1, index: 2),
                        .add(person: 0, stream: 1, parent: 1),
                    ],
                ]
            )
        ),
    ]

    private static let orders = added(3)
    private static let lines: [Change] = [0, 0, 2, 2].map { .add(person: 0, stream: 1, parent: $0) }
}
