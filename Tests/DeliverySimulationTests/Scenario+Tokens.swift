extension Scenario {
    /// Small worlds whose source wants tokens that die.
    static let withTokens: [(name: String, scenario: Scenario)] = [
        (
            "refresh tokens that work once, and access tokens that die after two answers",
            Scenario(
                streams: [StreamShape(name: "things")],
                access: Access(kind: .consent, deathAfter: 2),
                rounds: [added(6), [.change(person: 0, stream: 0, index: 0), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "refresh tokens that work again until what they gave was used",
            Scenario(
                streams: [StreamShape(name: "things", paging: .cursor, order: .newestFirst, since: .time)],
                access: Access(kind: .consent, deathAfter: 2, forgives: true),
                rounds: [added(5), [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "sessions that die after two answers",
            Scenario(
                streams: [StreamShape(name: "things", paging: .number, order: .byID)],
                access: Access(kind: .login, deathAfter: 2),
                rounds: [added(5), [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0)]]
            )
        ),
        (
            "two people with tokens, for parents and children",
            Scenario(
                streams: [
                    StreamShape(name: "posts", paging: .cursor, order: .byID),
                    StreamShape(name: "replies", since: .time, parent: 0, keyHasParent: true),
                ],
                people: ["ada", "bob"],
                access: Access(kind: .consent, lifetime: 120),
                rounds: [
                    (0..<2).flatMap { person in
                        [
                            Change.add(person: person, stream: 0), .add(person: person, stream: 0),
                            .add(person: person, stream: 1, parent: 1), .add(person: person, stream: 1, parent: 1),
                        ]
                    },
                    [.add(person: 0, stream: 1, parent: 0), .change(person: 1, stream: 1, index: 1)],
                ]
            )
        ),
    ]
}
