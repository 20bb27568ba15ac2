package import LosslessJSON

/// The files of a new package: a plug that a fetcher in Swift reads, and the host that contains it.
///
/// The fetcher reads a service that prepares an export on demand, which has to be waited for, and returns it in parts.
package struct SwiftPackageDraft: Sendable {
    /// The plug's id, which is also the program's name.
    private let id: String
    /// The location of plughost's own package: a path relative to the new package, or a URL.
    private let plughost: String

    /// Creates a package.
    package init(id: String, plughost: String) { (self.id, self.plughost) = (id, plughost) }

    /// The files by their paths.
    ///
    /// - Parameter written: Formats JSON for people.
    package func files(_ written: (JSONValue) -> String) -> [String: String] {
        [
            "Package.swift": package, "README.md": readme, ".gitignore": ".build\n",
            "Sources/\(id)/main.swift": main, "Sources/\(id)/\(type).swift": fetcher,
            "plug/plug.yaml": manifest,
            "plug/fixtures/first-export.json": written(firstExport),
            "plug/fixtures/first-export.golden.jsonl": golden(first),
            "plug/fixtures/second-export.json": written(secondExport),
            "plug/fixtures/second-export.golden.jsonl": golden(first + second, at: "4"),
        ]
    }

    /// The fetcher's type: `my-journal` is read by `MyJournalExport`.
    package var type: String {
        id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Export"
    }

    private var package: String {
        let isAddress = plughost.contains("://")
        let dependency =
            isAddress
            ? ".package(url: \"\(plughost)\", branch: \"main\")" : ".package(name: \"plughost\", path: \"\(plughost)\")"
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "\(id)",
                dependencies: [\(dependency)],
                targets: [
                    .executableTarget(name: "\(id)", dependencies: [.product(name: "DataPlug", package: "plughost")])
                ],
                swiftLanguageModes: [.v6]
            )

            """
    }

    private var main: String {
        """
        import DataPlug

        await PlugHost.main(fetchers: [\(type).self])

        """
    }

    private var fetcher: String {
        """
        import DataPlug

        /// Reads the entries of a journal from a service that exports them on demand.
        ///
        /// An export is asked for, and made in its own time; then it is downloaded in parts. What a manifest has no words for is the waiting,
        /// and that an export which is gone meanwhile has to be asked for once more.
        struct \(type): StreamFetcher {
            private let context: FetchContext
            /// How long to wait between two looks at an export.
            private let pause: Duration

            init(_ context: FetchContext) throws {
                self.context = context
                let seconds = context.options["pause_seconds"]?.number?.int64 ?? 5
                guard (1...600).contains(seconds) else {
                    throw FetchError(.configuration, "'pause_seconds' is \\(seconds)", advice: "write a number from 1 to 600")
                }
                pause = .seconds(seconds)
            }

            func page(after cursor: JSONValue?) async throws -> StreamPage {
                let place = ExportPlace(cursor)
                guard let id = place.export else { return try await begin(place) }
                guard let parts = try await finished(id) else {
                    // The service has removed it: the next one begins where the last one that was read has ended.
                    context.warn("the export was removed before it was read")
                    return try await begin(ExportPlace(since: place.since))
                }
                return try await read(place, of: id, parts)
            }

            /// Asks for an export. Its id is kept at once, so that a later run looks for this one and does not ask again.
            private func begin(_ place: ExportPlace) async throws -> StreamPage {
                let body = JSONValue.members(("since", .integer(place.since)))
                let request = FetchRequest(
                    "/exports",
                    method: "POST",
                    headers: ["Content-Type": "application/json"],
                    body: Array(body.compactText.utf8)
                )
                guard let id = try await context.send(request).json()["id"]?.stringText else {
                    throw FetchError(.data, "the answer to a new export has no 'id'")
                }
                return StreamPage([], cursor: ExportPlace(since: place.since, export: id).cursor, isLast: false)
            }

            /// Waits until an export is made.
            ///
            /// - Returns: How many parts it has; `nil` if the service does not know it any more.
            private func finished(_ id: String) async throws -> Int? {
                while true {
                    let response = try await context.send(FetchRequest("/exports/\\(id)", accepts: [404]))
                    if response.status == 404 { return nil }
                    let export = try response.json()
                    switch export["state"]?.stringText {
                    case "done": return Int(export["parts"]?.number?.int64 ?? 0)
                    case "failed": throw FetchError(.later, "the service could not make the export")
                    default: try await context.wait(pause)
                    }
                }
            }

            /// Reads a part: a line for each entry, with tabs between number, time and text.
            private func read(_ place: ExportPlace, of id: String, _ parts: Int) async throws -> StreamPage {
                guard place.part <= parts else {
                    return StreamPage([], cursor: ExportPlace(since: place.since).cursor, isLast: true)
                }
                let response = try await context.send(FetchRequest("/exports/\\(id)/parts/\\(place.part)"))
                var next = place
                var entries: [JSONValue] = []
                for (at, line) in response.text.split(separator: "\\n").enumerated() {
                    let cells = line.split(separator: "\\t", maxSplits: 2, omittingEmptySubsequences: false)
                    guard cells.count == 3, let number = Int(cells[0]) else {
                        throw FetchError(.data, "line \\(at + 1) of part \\(place.part) has no number, time and text")
                    }
                    entries.append(
                        .members(
                            ("number", .integer(number)),
                            ("written", .text(String(cells[1]))),
                            ("text", .text(String(cells[2])))
                        )
                    )
                    next.last = max(next.last, number)
                }
                next.part += 1
                if next.part > parts {
                    return StreamPage(entries, cursor: ExportPlace(since: next.last).cursor, isLast: true)
                }
                return StreamPage(entries, cursor: next.cursor, isLast: false)
            }
        }

        /// Where a reading goes on.
        private struct ExportPlace {
            /// The last entry that was read before this export.
            var since: Int
            /// The export that is read; `nil` if the next one is to be asked for.
            var export: String?
            /// Its next part, from 1.
            var part: Int
            /// The last entry that was read.
            var last: Int

            init(since: Int, export: String? = nil) {
                (self.since, self.export, part, last) = (since, export, 1, since)
            }

            init(_ cursor: JSONValue?) {
                self.init(since: Int(cursor?["since"]?.number?.int64 ?? 0), export: cursor?["export"]?.stringText)
                part = Int(cursor?["part"]?.number?.int64 ?? 1)
                last = Int(cursor?["last"]?.number?.int64 ?? Int64(since))
            }

            var cursor: JSONValue {
                guard let export else { return .members(("since", .integer(since))) }
                return .members(
                    ("since", .integer(since)),
                    ("export", .text(export)),
                    ("part", .integer(part)),
                    ("last", .integer(last))
                )
            }
        }

        """
    }

    private var manifest: String {
        """
        # Entries of a journal, from a service that exports them on demand. A fetcher in Swift reads it: see Sources.
        plug: \(id)
        api: 1
        version: 1.0.0
        hosts: [api.\(id).example]

        application:
          info:
            name: \(name)
            headline: Your journal
            description: {text: Copies the entries of your journal to your PDA.}
            termsUrl: "https://\(id).example/terms"
            dataUsePurpose: The plug only writes to your PDA; it reads nothing from it.
            supportContact: plugs@example.org
            graphics: {logo: {normal: "https://\(id).example/logo.png"}}
          developer: {id: me, name: Me, url: "https://\(id).example", country: United Kingdom}

        config:
          token: {type: string, secret: true, title: Token}

        auth: {bearer: {token: "{{ config.token }}"}}      # the host adds it: the fetcher never sees the token

        http:
          base: https://api.\(id).example/v1
          limits: [{rate: 60/60s}]

        streams:
          entries:
            endpoint: entries
            swift: {fetcher: \(type), options: {pause_seconds: 5}}
            key: .number
            version: none
            map: '{id: (.number | tostring), text, createdAt: .written}'
            fields: {createdAt: time}
            every: 1h

        """
    }

    private var readme: String {
        """
        # \(id)

        A plug that is read by a fetcher in Swift, and the host that has it: every command of plughost, with `\(type)`.

        ```console
        $ swift build
        $ .build/debug/\(id) validate plug
        $ .build/debug/\(id) test plug
        $ .build/debug/\(id) run plug --config token=@FILE --pda https://you.example --token-file token
        ```

        | file | |
        |---|---|
        | `Sources/\(id)/\(type).swift` | the fetcher |
        | `Sources/\(id)/main.swift` | the host, with the fetchers that it has |
        | `plug/plug.yaml` | the manifest, which names the fetcher |
        | `plug/fixtures` | conversations with the service, and what must come of them |

        `test` interrupts the fetcher after each page and in each request, and asks it once more for each page: the records have to be the
        same. The fixtures are made up: replace them with conversations of the service.

        """
    }

    private var name: String { id.prefix(1).uppercased() + id.dropFirst() }

    // MARK: - Fixtures

    private typealias Entry = (number: Int, written: String, text: String)
    private var first: [Entry] {
        [
            (1, "2026-11-20T08:00:00Z", "It rains."), (2, "2026-11-21T08:00:00Z", "It has\tstopped."),
            (3, "2026-11-22T08:00:00Z", "Sun."),
        ]
    }
    private var second: [Entry] { [(4, "2026-11-23T08:00:00Z", "Rain again.")] }

    private func exchange(_ path: String, _ body: JSONValue, since: Int? = nil) -> JSONValue {
        var request = JSONObject([
            ("method", .text(since == nil ? "GET" : "POST")), ("url", .text("https://api.\(id).example/v1\(path)")),
        ])
        if let since { request["body"] = .members(("since", .integer(since))) }
        var response = JSONObject([("status", .integer(200))])
        if let text = body.stringText { response["bodyText"] = .text(text) } else { response["body"] = body }
        return .members(("request", .object(request)), ("response", .object(response)))
    }

    private func state(_ state: String, parts: Int? = nil) -> JSONValue {
        var object = JSONObject([("state", .text(state))])
        object["parts"] = parts.map(JSONValue.integer)
        return .object(object)
    }

    private func lines(_ entries: some Sequence<Entry>) -> JSONValue {
        .text(entries.map { "\($0.number)\t\($0.written)\t\($0.text)\n" }.joined())
    }

    private var firstConversation: [JSONValue] {
        [
            exchange("/exports", .members(("id", .text("e1"))), since: 0), exchange("/exports/e1", state("running")),
            exchange("/exports/e1", state("done", parts: 2)), exchange("/exports/e1/parts/1", lines(first.prefix(2))),
            exchange("/exports/e1", state("done", parts: 2)),
            exchange("/exports/e1/parts/2", lines(first.dropFirst(2))),
        ]
    }

    private func fixture(_ exchanges: [JSONValue], passes: Int? = nil) -> JSONValue {
        var fixture = JSONObject([("config", .members(("token", .text("fixture-token"))))])
        fixture["passes"] = passes.map(JSONValue.integer)
        fixture["exchanges"] = .array(exchanges)
        return .object(fixture)
    }

    private var firstExport: JSONValue { fixture(firstConversation) }

    private var secondExport: JSONValue {
        fixture(
            firstConversation + [
                exchange("/exports", .members(("id", .text("e2"))), since: 3),
                exchange("/exports/e2", state("done", parts: 1)), exchange("/exports/e2/parts/1", lines(second)),
            ],
            passes: 2
        )
    }

    private func golden(_ entries: [Entry], at last: String = "3") -> String {
        entries.map { entry in
            let text = entry.text.replacing("\t", with: "\\t")
            return
                #"{"data":{"_id":"\#(id)/entries/\#(entry.number)","createdAt":"\#(entry.written)","id":"\#(entry.number)","#
                + #""text":"\#(text)"},"endpoint":"\#(id)/entries"}"# + "\n"
        }.joined() + #"{"cursor":{"watermark":{"since":\#(last)}},"stream":"entries"}"# + "\n"
    }
}
