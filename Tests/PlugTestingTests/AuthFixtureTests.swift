import Foundation
import PlugManifest
import PlugTesting
import Testing

/// Keys and signatures as an author replays them: the time is the fixture's, so a signature is the same each time.
struct AuthFixtureTests {
    private static let plug = """
        plug: signed
        api: 1
        version: 1.0.0
        hosts: [api.example.org]
        application:
          info: {name: S, headline: S, description: {text: S}, termsUrl: "https://u.example", dataUsePurpose: p, supportContact: s}
        config:
          kind: {type: string, enum: [signed, open], default: open}
          key: {type: string, secret: true}
        auth:
          any_of:
            by: "{{ config.kind }}"
            of:
              open: none
              signed:
                sign:
                  text: "{{ request.query }}"
                  key: "{{ config.key }}"
                  send:
                    - {in: query, name: timestamp, value: '{{ request.time | time("epoch_ms") }}'}
                    - {in: query, name: signature, value: "{{ signature }}"}
        http: {base: "https://api.example.org", cookies: keep}
        streams:
          orders:
            endpoint: orders
            key: .id
            version: none
            request:
              path: /order
              query: {symbol: LTCBTC, side: BUY, type: LIMIT, timeInForce: GTC, quantity: 1, price: "0.1", recvWindow: 5000}
          things:
            endpoint: things
            key: .id
            version: none
            auth: {key: [{in: body, name: auth.key, value: "{{ config.key }}"}, {in: cookie, name: app, value: a}]}
            request: {path: /graphql, graphql: {query: things.graphql}}
            records: .data.things

        """

    /// The signature is that of the documentation of Binance, "Signed endpoint examples".
    private static let fixture = """
        {"now": "2017-07-12T02:41:59.559Z",
         "config": {"kind": "signed", "key": "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j"},
         "exchanges": [
          {"request": {"method": "GET", "url": "https://api.example.org/order?symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&\
        quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559&\
        signature=c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71"},
           "response": {"status": 200, "headers": {"Set-Cookie": "sid=1"}, "body": [{"id": 1}]}},
          {"request": {"method": "POST", "url": "https://api.example.org/graphql", "body": {"query": "{ things { id } }",
            "auth": {"key": "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j"}}},
           "response": {"status": 200, "body": {"data": {"things": [{"id": 2}]}}}}
        ]}
        """

    private static let golden = """
        {"data":{"_id":"signed/orders/1","id":1},"endpoint":"signed/orders"}
        {"data":{"_id":"signed/things/2","id":2},"endpoint":"signed/things"}

        """

    private func test(_ fixture: String) async throws -> PlugTestReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixtures = folder.appending(path: "fixtures")
        try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
        for (text, name) in [
            (Self.plug, "plug.yaml"), ("{ things { id } }", "things.graphql"), (fixture, "fixtures/all.json"),
            (Self.golden, "fixtures/all.golden.jsonl"),
        ] { try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
        return try await PlugTest.run(try PlugCopy.manifest(folder.path), folder: folder.path, update: false)
    }

    @Test func aSignedConversationIsReplayed() async throws {
        let report = try await test(Self.fixture)
        #expect(report.failures.map(\.message) == [])
        #expect(report.outcome == .ok)
    }

    @Test func anotherSignatureIsADifferenceThatShowsNoKey() async throws {
        let report = try await test(Self.fixture.replacing("signature=c8db", with: "signature=c8dc"))
        #expect(report.failures.count == 1)
        #expect(
            !report.failures.contains {
                $0.message?.contains("NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j") == true
            }
        )
    }
}
