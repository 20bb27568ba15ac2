import PlugTesting
import Testing

/// What entries of `tests:` can give and expect.
struct InlineTests {
    private func cases(_ test: String, map: String = "'{id, board: parent.id, who: config.user}'") async throws
        -> [String]
    {
        let plug = try WrittenPlug(
            streams: """
                boards: {request: {path: /boards}, records: .items, key: .id}
                cards:
                  endpoint: cards
                  for_each: {in: boards, as: board}
                  request: {path: "/boards/{{ board.id }}/cards"}
                  records: .items
                  key: [parent.id, .id]
                  version: .rev
                  drop_if: .hidden
                  map: \(map)
                  tests: [\(test)]
                """
        )
        return try await plug.test().cases.filter { $0.kind == .inline }
            .map { ($0.message ?? "ok").replacing("\(plug.folder)/", with: "") }
    }

    @Test func aTestGivesTheParentAndTheConfiguration() async throws {
        let out = "out: {id: 1, board: d, who: bob}"
        #expect(try await cases("{in: {id: 1}, parent: {id: d}, config: {user: bob}, \(out)}") == ["ok"])
        #expect(try await cases("{in: {id: 1}, out: {id: 1, board: null, who: ada}}") == ["ok"])
    }

    @Test func aTestChecksTheKeyAndTheVersion() async throws {
        let test = "in: {id: \"a,b\", rev: 7}, parent: {id: d}, out: {id: \"a,b\", board: d, who: ada}"
        #expect(try await cases("{\(test), key: \"d,a%2Cb\", version: \"7\"}") == ["ok"])
        #expect(
            try await cases("{\(test), key: \"d,a\", version: \"8\"}") == [
                """
                plug.yaml:19:13: 'key' differs
                  expected d,a, got d,a%2Cb
                plug.yaml:19:13: 'version' differs
                  expected 8, got 7
                """
            ]
        )
    }

    @Test func aTestExpectsThatARecordIsLeftOut() async throws {
        #expect(try await cases("{in: {id: 1, hidden: true}, dropped: true}") == ["ok"])
        #expect(
            try await cases("{in: {id: 1}, dropped: true}", map: "'{id}'") == [
                "plug.yaml:19:13: the record is not left out\n  expected null, got {\"id\":1}"
            ]
        )
    }

    @Test func aTestNamesTheEntryOfItsArchive() async throws {
        let plug = try WrittenPlug(
            streams: """
                posts:
                  endpoint: posts
                  archive: {file: "{{ config.export }}", entries: "**"}
                  records: .items
                  key: .id
                  version: none
                  map: '{id, from: entry}'
                  tests: [{in: {id: 1}, entry: a/b.json, out: {id: 1, from: a/b.json}}]
                """,
            config: "export: {type: file}"
        )
        let cases = try await plug.test().cases.filter { $0.kind == .inline }
        #expect(cases.map { $0.message ?? "ok" } == ["ok"])
    }
}
