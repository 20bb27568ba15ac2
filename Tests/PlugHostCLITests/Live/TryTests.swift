import LosslessJSON
import PlugCore
import TestKit
import Testing

@Suite(.fewAtATime)
struct TryTests {
    private func ended(
        _ streams: String,
        _ options: [String] = [],
        _ answer: @escaping @Sendable (LoopbackRequest) -> String
    )
        async throws -> Ended
    {
        let server = try WrittenSource.serve { (200, ["Content-Type: application/json"], answer($0)) }
        defer { server.stop() }
        var result: Ended?
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: streams, to: folder)
            result = await Program.run(["try", folder] + options + WrittenSource.options(server))
        }
        return try #require(result)
    }

    private func findings(_ ended: Ended) -> [String] {
        (ended.json.first?["findings"]?.elements ?? []).map { finding in
            "\(finding["severity"]?.stringText ?? "") \(finding["code"]?.stringText ?? "")"
        }
    }

    private static let stream = """
        items:
          endpoint: items
          request: {path: /items, query: {limit: 3}}
          records: .items
          key: [.id]
          version: none
        """

    @Test func recordsAreShownBeforeAndAfterTheMap() async throws {
        let ended = try await ended(Self.stream + "\n  map: '{id, name: .title, gone: .nmae}'", ["--limit", "1"]) { _ in
            #"{"items":[{"id":1,"title":"one","x":true},{"id":2,"title":null},{"id":3,"title":3}]}"#
        }
        #expect(ended.status == .done)
        #expect(
            ended.output == """
                shelf: a look at the source; nothing was sent to a PDA, and nothing is kept

                items -> shelf/items: 1 page, 1 request; 3 records: 3 to deliver
                  1 source     {"id":1,"title":"one","x":true}
                    delivered  {"_id":"shelf/items/1","gone":null,"id":1,"name":"one"}
                  member  type            null  absent  example
                  gone    null            3     0
                  id      number          0     0       1
                  name    string, number  1     0       "one"

                findings
                  warning: [column-null] \(try #require(ended.output.firstMatch(of: #/\S+plug.yaml/#)).output):13:5: 'gone' is null in all 3 records

                """
        )
    }

    @Test func aKeyThatIsNotUniqueEndsWithOne() async throws {
        let ended = try await ended(Self.stream, ["--json"]) { _ in
            #"{"items":[{"id":1,"a":1},{"id":1,"a":2},{"id":2,"a":3}]}"#
        }
        #expect(ended.status == .failed)
        #expect(findings(ended) == ["error id-conflict"])
        #expect(ended.json.first?["streams"]?["items"]?["counts"]?["id_conflicts"] == .integer(1))
        #expect(ended.json.first?["pda"] == nil)
    }

    @Test func theErrorThatItEndsWithIsToldOnce() async throws {
        let ended = try await ended(Self.stream) { _ in "{" }
        #expect(ended.status == .data)
        #expect(!ended.output.contains("findings") && !ended.output.contains("error"), "\(ended.output)")
        let told = ended.errors.split(separator: "\n").filter { $0.contains("error: ") }
        #expect(told.count == 1 && told.first?.hasPrefix("error: [") == true, "\(ended.errors)")
    }

    @Test func moreThatIsNoBooleanIsFound() async throws {
        let stream = Self.stream + "\n  page: {number: {param: page}, more: .hasmore}"
        let ended = try await ended(stream, ["--json"]) { _ in #"{"items":[{"id":1}],"hasMore":true}"# }
        #expect(ended.status == .data, "\(ended.output)")
        #expect(findings(ended) == ["error page-more"])
    }

    @Test func aFullPageWithoutATokenIsFound() async throws {
        let stream = Self.stream + "\n  page: {cursor: {from: .nxt, param: after}}"
        let ended = try await ended(stream, ["--json"]) { _ in #"{"items":[{"id":1},{"id":2},{"id":3}],"next":"a"}"# }
        #expect(findings(ended) == ["error page-token-missing"], "\(ended.output)")
    }

    @Test func aCastAndASinceFieldWithoutMembersAreFound() async throws {
        let stream =
            Self.stream + "\n  since: {field: .updatedat, type: time, order: none}\n  fields: {createdat: time}"
        let ended = try await ended(stream, ["--json"]) { _ in #"{"items":[{"id":1,"updatedAt":"2026-01-01"}]}"# }
        #expect(findings(ended) == ["warning since-missing", "warning cast-unmet", "error since-field-missing"])
    }

    @Test func aProbeFindsThatParametersChangeNothing() async throws {
        let since =
            Self.stream + "\n  since: {field: .at, type: time, order: asc, send: {query: {form: time}}}"
        let records = #"{"items":[{"id":1,"at":"2026-01-01T00:00:00Z"},{"id":2,"at":"2026-01-02T00:00:00Z"}]}"#
        let ignoring = try await ended(since, ["--json", "--probe"]) { _ in records }
        #expect(findings(ignoring) == ["warning parameter-ignored"], "\(ignoring.output)")
        let heeding = try await ended(since, ["--json", "--probe"]) { request in
            request.target.contains("form=") ? #"{"items":[{"id":2,"at":"2026-01-02T00:00:00Z"}]}"# : records
        }
        #expect(findings(heeding) == [], "\(heeding.output)")

        let sized = """
            items:
              endpoint: items
              request: {path: /items}
              records: .items
              page: {number: {param: page, size: 4, size_param: per}, stop: empty}
              key: [.id]
              version: none
            """
        let clumsy = try await ended(sized, ["--json", "--probe", "--pages", "1"]) { _ in
            #"{"items":[{"id":1},{"id":2},{"id":3},{"id":4}]}"#
        }
        #expect(findings(clumsy) == ["warning parameter-ignored"], "\(clumsy.output)")
    }

    @Test func aProbeAsksSinceTheMiddleAndExpectsRecords() async throws {
        let since = Self.stream + "\n  since: {field: .at, type: epoch, send: {query: {after: epoch_ms}}}"
        let answer: @Sendable (LoopbackRequest) -> String = { request in
            let after = request.target.firstMatch(of: #/after=(\d+)/#).flatMap { Int($0.1) } ?? 0
            let items = (1...9).filter { 1_764_000_000 + $0 * 1000 > after }
            return
                "{\"items\":[\(items.map { "{\"id\":\($0),\"at\":\(1_764_000_000 + $0 * 1000)}" }.joined(separator: ","))]}"
        }
        let wrong = try await ended(since, ["--json", "--probe", "--limit", "1"], answer)
        #expect(findings(wrong) == ["warning since-unmet"], "\(wrong.output)")
        #expect(wrong.json.first?["streams"]?["items"]?["records"]?.elements?.count == 1)
        let right = try await ended(since.replacing("epoch_ms", with: "epoch"), ["--json", "--probe"], answer)
        #expect(findings(right) == [], "\(right.output)")
        // So does a bound that a template sends, and a stream that is read for others.
        let lines = """
            lists:
              request: {path: /lists}
              records: .items
            items:
              for_each: {in: lists, as: list}
              endpoint: items
              request: {path: /items, query: {after: '{{ since // "2001-01-01T00:00:00Z" | time("epoch_ms") }}'}}
              records: .items
              key: [.id]
              version: none
              since: {field: .at, type: epoch}
            """
        let child = try await ended(lines, ["--json", "--probe"]) { request in
            request.target.hasPrefix("/lists")
                ? #"{"items":[{"id":1}]}"#
                : request.target.contains("after=17")
                    ? #"{"items":[]}"# : #"{"items":[{"id":1,"at":1764000000},{"id":2,"at":1764900000}]}"#
        }
        #expect(findings(child) == ["warning since-unmet"], "\(child.output)")
    }

    @Test func aProbeSaysWhatItAskedAndWhatNot() async throws {
        let ended = try await ended(Self.stream, ["--probe"]) { _ in #"{"items":[{"id":1},{"id":2}]}"# }
        #expect(
            ended.output.contains(
                """
                probed
                  items: nothing
                    not page: the stream has no 'page'
                    not page.from: pages are not counted
                    not since: the stream has no 'since'
                    not page.size: requests send no size

                findings: none
                """
            ),
            "\(ended.output)"
        )
    }

    @Test func aPageBeforeTheFirstIsFound() async throws {
        let stream = Self.stream + "\n  page: {number: {param: page, from: 2}, stop: empty}"
        func answer(_ first: Int) -> @Sendable (LoopbackRequest) -> String {
            { request in
                let page = request.target.firstMatch(of: #/page=(\d+)/#).flatMap { Int($0.1) } ?? 1
                let ids = max(page, first)...max(page, first)
                return page > 5
                    ? #"{"items":[]}"#
                    : "{\"items\":[\(ids.map { "{\"id\":\($0 * 2)},{\"id\":\($0 * 2 + 1)}" }.joined())]}"
            }
        }
        let wrong = try await ended(stream, ["--json", "--probe"], answer(1))
        #expect(findings(wrong) == ["warning page-start"], "\(wrong.output)")
        let right = try await ended(stream, ["--json", "--probe"], answer(2))
        #expect(findings(right) == [], "\(right.output)")
    }

    @Test func aStreamWithoutRecordsIsFound() async throws {
        let ended = try await ended(Self.stream, []) { _ in #"{"items":[]}"# }
        #expect(ended.status == .done)
        #expect(ended.output.contains("1 page, 1 request; no records\n"), "\(ended.output)")
        #expect(ended.output.contains("warning: [nothing-read] stream 'items': "))
    }

    @Test func aUnitThatPutsAllTimesInto1970IsFound() async throws {
        let stream = Self.stream + "\n  fields: {at: {time: {format: epoch_ms}}}"
        let ended = try await ended(stream, ["--json"]) { _ in #"{"items":[{"id":1,"at":1764000000},{"id":2,"at":0}]}"#
        }
        #expect(findings(ended) == ["warning cast-unit"], "\(ended.output)")
        let right = try await self.ended(stream, ["--json"]) { _ in
            #"{"items":[{"id":1,"at":1764000000},{"id":2,"at":1764000000000}]}"#
        }
        #expect(findings(right) == [], "\(right.output)")
    }

    @Test func pagesThatAreTheSameAreFound() async throws {
        let stream = """
            items:
              endpoint: items
              request: {path: /items}
              records: .items
              page: {number: {param: pgae}, stop: empty}
              key: [.id]
              version: none
            """
        let same = #"{"items":[{"id":1},{"id":2},{"id":3}]}"#
        for options in [["--pages", "2"], ["--pages", "1", "--probe"]] {
            let ignoring = try await ended(stream, ["--json"] + options) { _ in same }
            #expect(findings(ignoring) == ["warning parameter-ignored"], "\(ignoring.output)")
            #expect(
                ignoring.output.contains(
                    "the service gives the same page again whatever 'pgae' says: page 2 has the 3 records of page 1"
                )
            )
            let heeding = try await ended(stream, ["--json"] + options) { request in
                request.target.contains("pgae=2") ? #"{"items":[{"id":4},{"id":5},{"id":6}]}"# : same
            }
            #expect(findings(heeding) == [], "\(heeding.output)")
        }
        // Pages that have to join are read again before that shows.
        let joined = stream + "\n  since: {field: .id, type: integer, order: asc}"
        let ignoring = try await ended(joined, ["--json"]) { _ in same }
        #expect(findings(ignoring).contains("warning parameter-ignored"), "\(ignoring.output)")
        // Each record twice on its page is another thing.
        let doubled = try await ended(stream, ["--json"]) { request in
            request.target.contains("pgae=1") ? #"{"items":[{"id":1},{"id":1}]}"# : #"{"items":[{"id":2},{"id":2}]}"#
        }
        #expect(findings(doubled) == [], "\(doubled.output)")
    }

    @Test func whatSaysThatThereIsMoreIsFound() async throws {
        let ended = try await ended(Self.stream, ["--json"]) { _ in #"{"items":[{"id":1}],"next_cursor":"b"}"# }
        #expect(ended.status == .done)
        #expect(findings(ended) == ["warning page-key-missing"], "\(ended.output)")
        #expect(ended.output.contains("write 'page: {cursor: {from: .next_cursor, param: …}}'"))
    }

    @Test func aFullPageWithoutALinkIsFound() async throws {
        let stream = Self.stream + "\n  page: {link: next}"
        let ended = try await ended(stream, ["--json"]) { _ in #"{"items":[{"id":1},{"id":2},{"id":3}]}"# }
        #expect(findings(ended) == ["warning page-token-doubtful"], "\(ended.output)")
    }

    @Test func aKeyThatOnlyAVersionTellsApartIsFound() async throws {
        let stream = Self.stream.replacing("version: none", with: "version: .at").replacing("[.id]", with: "[.kind]")
        let ended = try await ended(stream, ["--json"]) { _ in
            #"{"items":[{"kind":"a@b","at":1},{"kind":"a@b","at":2},{"kind":"c","at":3}]}"#
        }
        #expect(ended.status == .done)
        #expect(findings(ended) == ["warning key-shared"], "\(ended.output)")
        #expect(
            ended.output.contains(
                "1 of 3 records has the key of another record, and only 'version' tells them apart; the first: "
                    + "'shelf/items/a%40b'"
            )
        )
        let contents = Self.stream.replacing("version: none", with: "version: content")
        let same = try await self.ended(contents, ["--json"]) { _ in #"{"items":[{"id":1,"a":1},{"id":1,"a":2}]}"# }
        #expect(findings(same) == ["error id-conflict"], "\(same.output)")
    }

    @Test func aSandboxShowsWhatArrives() async throws {
        let ended = try await ended(Self.stream, ["--sandbox"]) { _ in #"{"items":[{"id":1,"name":"one"}]}"# }
        #expect(ended.status == .done, "\(ended.errors)")
        #expect(ended.output.contains("'shelf' is set up in it"))
        #expect(
            ended.output.contains(
                "in the PDA: 1 record in shelf/items\n  {\"id\":1,\"_id\":\"shelf/items/1\",\"name\":\"one\"}"
            )
        )
    }

    @Test func aDryRunTellsOfColumnsThatAreAlwaysNull() async throws {
        let server = try WrittenSource.serve { _ in
            let items = (1...25).map { #"{"id":\#($0)}"# }.joined(separator: ",")
            return (200, [], #"{"items":[\#(items)]}"#)
        }
        defer { server.stop() }
        try await Program.withFolder { folder in
            try WrittenSource.write(streams: Self.stream + "\n  map: '{id, name: .nmae}'", to: folder)
            let ended = await Program.run(["run", folder, "--dry-run"] + WrittenSource.options(server))
            #expect(ended.status == .done)
            #expect(
                ended.errors.contains(
                    "warning: [column-null] \(folder)/plug.yaml:13:5: 'name' is null in all 25 records"
                )
            )
        }
    }
}
