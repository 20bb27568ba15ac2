import Archives
import Foundation
import Glibc
import LosslessJSON
import Synchronization
import TestKit
import Testing

/// Runs of the built program over archives.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct ArchiveRunsTests {
    /// A plug, a PDA that keeps what it gets, and runs between them.
    private struct World: Sendable {
        let folder: String
        let pda: String
        /// Each record that was posted, as `_id` and text.
        let posted: Posted
        var export: String { folder + "/export.zip" }

        final class Posted: Sendable {
            let records = Mutex<[(id: String, text: String)]>([])
            func take() -> [String] {
                records.withLock { records in
                    defer { records = [] }
                    return records.map { "\($0.id)=\($0.text)" }
                }
            }
        }

        func run(_ more: String..., export: String? = nil) async throws -> (
            status: Int32, errors: String, sent: [String]
        ) {
            _ = posted.take()
            let arguments = [
                "run", folder + "/plug.yaml", "--state", folder + "/state", "--pda", "http://\(pda)", "--token-file",
                folder + "/token", "--allow-network", "127.0.0.0/8", "--config", "export=\(export ?? self.export)",
            ]
            let ended = try await BuiltProgram.run(arguments + more, in: folder)
            return (ended.status, ended.errors, posted.take())
        }

        func change(streams: String) throws {
            let head = "plug: plain\napi: 1\nversion: 1.0.0\nhosts: []\nconfig: {export: {type: file}}\n"
            try Data((head + streams).utf8).write(to: URL(filePath: folder + "/plug.yaml"))
        }

        func pack(_ files: [(String, String)], to path: String? = nil) throws {
            try ArchiveWriter.write(files.map { ArchiveWriter.File($0, Array($1.utf8)) }, to: path ?? export)
        }
    }

    private static func with(streams: String, hosts: String = "[]", _ body: (World) async throws -> Void) async throws {
        let posted = World.Posted()
        let pda = try LoopbackServer.answering { request in
            let records = (try? JSONValue(parsing: request.body))?.elements ?? []
            posted.records.withLock { all in
                all += records.map { ($0["_id"]?.stringText ?? "-", $0["text"]?.stringText ?? "") }
            }
            return PlainWorld.taking(request)
        }
        defer { pda.stop() }
        try await BuiltProgram.withFolder { folder in
            let head = """
                plug: plain
                api: 1
                version: 1.0.0
                hosts: \(hosts)
                config: {export: {type: file}}

                """
            try Data((head + streams).utf8).write(to: URL(filePath: folder + "/plug.yaml"))
            try HandmadeToken.write(application: "plain", of: pda.authority, to: folder + "/token")
            try await body(World(folder: folder, pda: pda.authority, posted: posted))
        }
    }

    private static let items = """
        streams:
          items:
            endpoint: items
            archive: {file: "{{ config.export }}", entries: "**/*.json"}
            records: .items[]
            key: [.id]
            version: none

        """

    private static func list(_ ids: some Sequence<Int>, _ text: String = "a") -> String {
        "{\"items\":[" + ids.map { #"{"id":\#($0),"text":"\#(text)"}"# }.joined(separator: ",") + "]}"
    }

    @Test("a file that has nothing of the plug, or none at all, is no success, however often it is read")
    func nothingRead() async throws {
        try await Self.with(streams: Self.items) { world in
            try world.pack([("a.txt", "x")])
            for _ in 0..<2 {
                let ended = try await world.run()
                #expect(ended.status == 1)
                #expect(
                    ended.errors.contains(
                        "error: [archive-lacks-entries] nothing was read: no entry of the file in 'config.export'"
                    )
                )
            }
            let path = world.folder + "/plug.yaml"
            let ended = try await BuiltProgram.run(["run", path, "--dry-run"], in: world.folder)
            #expect(ended.status == 78)
            #expect(
                ended.errors.contains("error: [archive-not-given] the plug 'plain' reads an export, and none was given")
            )
        }
    }

    @Test func theSameArchiveGivesNothingAndANewerOneWhatIsNew() async throws {
        try await Self.with(streams: Self.items) { world in
            try world.pack([("a.json", Self.list(1...3))])
            let first = try await world.run()
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.sent == ["plain/items/1=a", "plain/items/2=a", "plain/items/3=a"])
            #expect(try await world.run().sent == [])
            // Under another name it is the same archive of the same connection.
            try FileManager.default.copyItem(atPath: world.export, toPath: world.folder + "/copy.zip")
            #expect(try await world.run(export: world.folder + "/copy.zip").sent == [])
            // A newer one has some of it, and a third one all: what was ever delivered is known.
            try world.pack([("b.json", Self.list(3...4))])
            #expect(try await world.run().sent == ["plain/items/4=a"])
            try world.pack([("c.json", Self.list(1...5))])
            let last = try await world.run()
            #expect(last.status == 0, "\(last.errors)")
            #expect(last.sent == ["plain/items/5=a"])
        }
    }

    @Test func whatIsBrokenIsToldAndTheRestDelivered() async throws {
        try await Self.with(streams: Self.items) { world in
            let broken = #"{"items":[{"id":1,"text":"a"},{"id":2,"text":},{"id":3,"text":"a"}]}"#
            try world.pack([("a.json", broken), ("b.json", "{\"items\":[{\"id\":4"), ("c.json", Self.list(5...5))])
            let first = try await world.run()
            #expect(first.status == 65, "\(first.errors)")
            #expect(first.sent == ["plain/items/1=a", "plain/items/3=a", "plain/items/5=a"])
            #expect(first.errors.contains("[archive-entry]"), "\(first.errors)")
            #expect(
                first.errors.contains("the entry 'b.json' of the archive cannot be read as JSON"),
                "\(first.errors)"
            )
            try world.pack([("a.json", Self.list(1...3)), ("b.json", Self.list(4...4)), ("c.json", Self.list(5...5))])
            let second = try await world.run()
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.sent == ["plain/items/2=a", "plain/items/4=a"])
        }
    }

    @Test(
        "an entry whose records do not fit is left out, the others are delivered, and the next run comes back to it",
        arguments: ["", "map: '{id, text, e: entry}'"]
    )
    func entriesThatDoNotFit(_ map: String) async throws {
        let streams = Self.items + "    \(map)\n"
        try await Self.with(streams: streams) { world in
            let misfits = #"{"items":[{"text":"a"},{"text":"b"},{"text":"c"}]}"#
            let files = [("1.json", Self.list(1...1)), ("2.json", misfits), ("3.json", Self.list(3...3))]
            try world.pack(files)
            let first = try await world.run()
            #expect(first.status == 65, "\(first.errors)")
            #expect(first.sent == ["plain/items/1=a", "plain/items/3=a"])
            #expect(first.errors.contains("[records-do-not-fit]"), "\(first.errors)")
            #expect(
                first.errors.contains("2 of the first 2 of 3 records from the entry '2.json' do not fit the manifest"),
                "\(first.errors)"
            )
            #expect(first.errors.contains("; 1 entry was left out; all others are delivered"), "\(first.errors)")
            #expect(!first.errors.contains("dead letter"), "\(first.errors)")
            // Its place is kept, and nothing is sent twice.
            let second = try await world.run()
            #expect(second.status == 65 && second.sent == [], "\(second.errors)")
            // Another manifest reads it all.
            let corrected = streams.replacing("records: .items[]", with: "records: '.items[] | .id //= .text'")
            try world.change(streams: corrected)
            let third = try await world.run()
            #expect(third.status == 0, "\(third.errors)")
            #expect(third.sent == ["plain/items/a=a", "plain/items/b=b", "plain/items/c=c"])
            #expect(try await world.run().sent == [])
        }
    }

    @Test("where the service has changed all records, nothing becomes a dead letter, and nothing is passed over")
    func allEntriesDoNotFit() async throws {
        let streams = Self.items + "    map: '{id, text, e: entry}'\n"
        try await Self.with(streams: streams) { world in
            try world.pack((1...30).map { ("\($0).json", #"{"items":[{"number":\#($0)},{"number":\#(100 + $0)}]}"#) })
            let first = try await world.run()
            #expect(first.status == 65 && first.sent == [], "\(first.errors)")
            #expect(first.errors.contains("records from the entry '1.json' do not fit"), "\(first.errors)")
            #expect(first.errors.contains("; 30 entries were left out"), "\(first.errors)")
            let corrected = streams.replacing("records: .items[]", with: "records: '.items[] | .id = .number'")
            try world.change(streams: corrected)
            let second = try await world.run()
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.sent.count == 60)
        }
    }

    @Test func anAPIAndAnArchiveDoubleNothing() async throws {
        let answer = Mutex(Self.list(1...2, "api"))
        let source = try LoopbackServer.answering { _ in .whole(200, answer.withLock { $0 }) }
        defer { source.stop() }
        let streams = """
            http: {base: "http://\(source.authority)", retry: {tries: 1}}
            streams:
              api:
                endpoint: items
                request: {path: /}
                records: .items[]
                key: [.id]
                version: content
              archived:
                endpoint: items
                archive: {file: "{{ config.export }}", entries: "*.json"}
                records: .items[]
                key: [.id]
                version: content

            """
        try await Self.with(streams: streams, hosts: "[\"\(source.authority)\"]") { world in
            try world.pack([("a.json", Self.list(2...3, "export"))])
            let first = try await world.run()
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.sent.sorted() == ["plain/items/1=api", "plain/items/2=api", "plain/items/3=export"])
            // What either has delivered, the other one knows, whatever it looks like.
            answer.withLock { $0 = Self.list(1...3, "api") }
            try world.pack([("a.json", Self.list(1...4, "export"))])
            #expect(try await world.run().sent == ["plain/items/4=export"])
            #expect(try await world.run().sent == [])
            // What changes where it came from is new.
            answer.withLock { $0 = Self.list(1...3, "changed") }
            let last = try await world.run()
            #expect(last.sent == ["plain/items/1=changed", "plain/items/2=changed", "plain/items/3=changed"])
        }
    }

    @Test func itIsKilledAtAnyMomentAndLosesAndDoublesNothing() async throws {
        let executioner = Executioner()
        let world = KillWorld(seed: 15) { executioner.hear() }
        world.setFaults(0)
        let pda = try LoopbackServer.answering { world.pda($0) }
        defer { pda.stop() }
        try await BuiltProgram.withFolder { folder in
            let head = "plug: kills\napi: 1\nversion: 1.0.0\nhosts: []\nconfig: {export: {type: file}}\n"
            try Data((head + Self.items).utf8).write(to: URL(filePath: folder + "/plug.yaml"))
            try HandmadeToken.write(application: "kills", of: pda.authority, to: folder + "/token")
            var chance = SplitMix(state: 15)
            var expected: Set<String> = []
            var kills = 0
            for round in 0..<3 {
                let last = 4000 + round * 1000
                let files = (0..<8).map { part in
                    ("part\(part).json", Array(Self.list(((last / 8) * part)..<((last / 8) * (part + 1))).utf8))
                }
                let export = folder + "/export.zip"
                try ArchiveWriter.write(files.map { ArchiveWriter.File($0.0, $0.1) }, to: export)
                expected = Set((0..<last).map { "kills/items/\($0)" })
                var isDone = false
                var life = 0
                while !isDone {
                    life += 1
                    let running = try BuiltProgram.start(
                        [
                            "run", folder + "/plug.yaml", "--pda", "http://\(pda.authority)", "--token-file",
                            folder + "/token", "--state", folder + "/state", "--config", "export=\(export)",
                        ],
                        in: folder
                    )
                    if life < 8 {
                        let requests = Int.random(in: 0...6, using: &chance)
                        let delay = UInt32.random(in: 0...(requests == 0 ? 60_000 : 4_000), using: &chance)
                        executioner.condemn(running.process.processIdentifier, afterRequests: requests, delay: delay)
                    }
                    let ended = try await running.finish()
                    executioner.release()
                    if running.process.terminationReason == .uncaughtSignal {
                        kills += 1
                    } else {
                        try #require(ended.status == 0, "\(ended)")
                        isDone = true
                    }
                    let stored = world.stored
                    try #require(Set(stored).count == stored.count, "a record is stored twice, after \(kills) kills")
                }
                #expect(Set(world.stored) == expected)
            }
        }
    }
}
