import JQ
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import TestKit
import Testing

@testable import PlugNormalise

/// The time that programs have for all records of a page together.
struct PageTimeTests {
    /// A normaliser whose every look at the clock finds so much time gone.
    private static func normaliser(_ map: String, step: Duration) throws -> Normaliser {
        let text = """
            plug: demo
            api: 1
            version: 1.0.0
            hosts: [api.example.org]
            http: {base: "https://api.example.org"}
            streams:
              items: {endpoint: items, request: {path: /items}, version: none, key: [.id], map: '\(map)'}

            """
        let manifest = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest
        let stream = try #require(manifest?.streams.first)
        let clock = Clock(step)
        let limits = JQLimits(clock: { clock.next() })
        return try #require(Normaliser(stream, config: .null, limits: limits))
    }

    private final class Clock: Sendable {
        private let time = Mutex(Duration.zero)
        private let step: Duration
        init(_ step: Duration) { self.step = step }
        func next() -> Duration {
            time.withLock { time in
                time += step
                return time
            }
        }
    }

    private static func page(_ count: Int) throws -> FetchedPage {
        let records = "[\((1...count).map { "{\"id\":\($0)}" }.joined(separator: ","))]"
        let elements = try #require(try JSONDocument(bytes: Array(records.utf8)).root.elements)
        return FetchedPage(records: elements, states: [:], origin: "https://api.example.org/items")
    }

    @Test("programs that work for too long on the records of a page together end the stream, and are no record's fault")
    func slowPrograms() throws {
        let normaliser = try Self.normaliser("{n: ([range(70000)] | length)}", step: .seconds(4))
        #expect(try normaliser.normalise(Self.page(3)).block.entries.count == 3)
        let late = try Self.normaliser("{n: ([range(70000)] | length)}", step: .seconds(4))
        let error = #expect(throws: PlugError.self) { _ = try late.normalise(Self.page(50)) }
        #expect(error?.code == "page-too-slow" && error?.exit == .data && error?.reach == .stream)
        #expect(
            error?.message == "plug.yaml:7:80: the programs of this stream used 1m of processor time, the "
                + "limit for one page, on 4 of 50 records from https://api.example.org/items"
        )
    }

    @Test("many records whose programs are quick are looked at in between")
    func manyRecords() throws {
        // The time goes by elsewhere than in programs.
        let normaliser = try Self.normaliser("{n: .id}", step: .seconds(10))
        #expect(try normaliser.normalise(Self.page(300)).block.entries.count == 300)
        let error = #expect(throws: PlugError.self) { _ = try normaliser.normalise(Self.page(3000)) }
        #expect(
            error?.message == "plug.yaml:7:3: the programs of this stream used 1m of processor time, the "
                + "limit for one page, on 1280 of 3000 records from https://api.example.org/items"
        )
    }
}
