import Foundation
import PlugManifest
import PlugTesting
import TestKit
import Testing

/// Answers that are not JSON, as an author replays them.
struct DecodedFixtureTests {
    /// `a.csv` in the encoding of Windows, deflated.
    private static let archive =
        "UEsDBBQAAAAIAAAAIVwzohuCFAAAABIAAAAFAAAAYS5jc3bLTLHOS8xN5TK0jsp/zWVk7cQFAFBLAQIUAxQAAAAIAAAAIVwzohuCFAAAABIAAAAFAAAAAAAAAAAAAACAAQAAAABhLmNzdlBLBQYAAAAAAQABADMAAAA3AAAAAAA="

    private func test(
        _ decode: String,
        keys: String = "key: .id",
        response: String,
        golden: String
    ) async throws -> PlugTestReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixtures = folder.appending(path: "fixtures")
        try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
        let manifest = """
            plug: rides
            api: 1
            version: 1.0.0
            hosts: [api.example.org]
            application:
              info: {name: S, headline: S, description: {text: S}, termsUrl: "https://u.example", dataUsePurpose: p, supportContact: s}
            http: {base: "https://api.example.org"}
            streams:
              rides: {request: {path: /rides}, endpoint: rides, decode: \(decode), \(keys), version: none}

            """
        let fixture = """
            {"exchanges": [{"request": {"method": "GET", "url": "https://api.example.org/rides"},
              "response": {"status": 200, \(response)}}]}
            """
        for (name, text) in [
            ("plug.yaml", manifest), ("fixtures/rides.json", fixture), ("fixtures/rides.golden.jsonl", golden),
        ] {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        return try await PlugTest.run(try PlugCopy.manifest(folder.path), folder: folder.path, update: false)
    }

    private let golden = """
        {"data":{"_id":"rides/rides/1","id":"1","name":"Zoë"},"endpoint":"rides/rides"}
        {"data":{"_id":"rides/rides/2","id":"2","name":"B"},"endpoint":"rides/rides"}

        """

    @Test func aBodyMayBeAnyBytes() async throws {
        let decode = "{csv: {separator: ';', encoding: windows-1252}}"
        let report = try await test(decode, response: "\"bodyBase64\": \"\(Self.archive)\"", golden: golden)
        #expect(report.failures.map(\.message) == [])
        let text = "\"bodyText\": \"id;name\\n1;Zoë\\n2;B\\n\""
        #expect(try await test("{csv: {separator: ';'}}", response: text, golden: golden).failures.map(\.message) == [])
    }

    @Test func equalRowsOfAFileAreCounted() async throws {
        let text = "\"bodyText\": \"day,sum\\n1,5\\n1,5\\n2,5\\n1,5\\n\""
        let rows = ["1,5", "1,5,2", "2,5", "1,5,3"].map { id in
            "{\"data\":{\"_id\":\"rides/rides/\(id)\",\"day\":\"\(id.prefix(1))\",\"sum\":\"5\"},\"endpoint\":\"rides/rides\"}\n"
        }
        let counted = try await test(
            "csv",
            keys: "key: [.day, .sum], equal: count",
            response: text,
            golden: rows.joined()
        )
        #expect(counted.failures.map(\.message) == [])
        let one = try await test("csv", keys: "key: [.day, .sum]", response: text, golden: rows[0] + rows[2])
        #expect(one.failures.map(\.message) == [])
    }

    @Test func whatIsNotBase64IsToldWithItsPlace() async throws {
        let report = try await test("csv", response: "\"bodyBase64\": \"a*\"", golden: golden)
        #expect(report.failures.map(\.code) == ["fixture-invalid"])
        #expect(report.failures.first?.message?.contains("'bodyBase64' is not base64") == true)
    }
}
