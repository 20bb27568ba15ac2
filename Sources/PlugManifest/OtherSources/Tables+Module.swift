extension Tables {
    static let module = KeyTable(
        "swift",
        [
            .key(
                "fetcher",
                .text,
                required: true,
                example: "MatrixRooms",
                "The fetcher's name, as it is registered with the host."
            ),
            .key(
                "options",
                .names(.anything),
                example: "{days: 30}",
                "Options of the fetcher, as it defines them; texts may be templates. A secret is known to it only if it is written here."
            ),
        ],
        instead: [
            "name": "write 'fetcher'", "config": "write 'options'",
            "request": "remove it: the fetcher makes the requests",
        ]
    )

    private static let byTheFetcher = "remove it: the fetcher of 'swift' reads the source"
    private static let requesting = [
        "request", "archive", "decode", "records", "page", "since", "for_each", "tap_stream",
    ]

    /// A stream that a fetcher in Swift reads.
    static let moduleStream = KeyTable(
        "a stream with 'swift'",
        stream.keys.filter { !requesting.contains($0.name) },
        instead: Dictionary(uniqueKeysWithValues: requesting.map { ($0, byTheFetcher) })
    )
}
