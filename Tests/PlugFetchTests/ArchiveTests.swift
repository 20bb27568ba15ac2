import Archives
import CurlTransport
import Foundation
import LosslessJSON
import PlugCore
import PlugFetch
import TestKit
import Testing

/// Streams that are read from an archive.
@Suite(.fewAtATime)
struct ArchiveTests {
    /// A bench whose stream reads an archive, and the folder of the archive.
    private struct World: ~Copyable {
        let folder: String
        var bench: Bench
        let states = MemoryStates()

        init(
            _ stream: String = "records: '.items[]'",
            entries: String = "\"**/*.json\"",
            http: String = ""
        ) throws {
            folder = FileManager.default.temporaryDirectory.path + "/archive-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            bench = try Self.bench(stream, entries, http, folder)
        }

        /// Goes on with another manifest.
        mutating func change(_ stream: String, entries: String = "\"**/*.json\"") throws {
            bench = try Self.bench(stream, entries, "", folder)
        }

        private static func bench(_ stream: String, _ entries: String, _ http: String, _ folder: String) throws -> Bench
        {
            var bench = try Bench(
                """
                config: {export: {type: file}}
                \(http)
                streams:
                  things:
                    endpoint: things
                    key: [.id]
                    version: none
                    archive: {file: "{{ config.export }}", entries: \(entries)}
                    \(stream)
                """,
                hosts: "[]"
            )
            bench.config["export"] = .text(folder + "/export.zip")
            return bench
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func pack(_ files: [(String, String)], _ form: ArchiveWriter.Form = .zip) throws {
            let files = files.map { ArchiveWriter.File($0, Array($1.utf8)) }
            try ArchiveWriter.write(files, to: folder + "/export.zip", as: form)
        }

        func read(pages: Int = .max, onPage: (Int) throws -> Void = { _ in }) async throws -> Reading {
            try await bench.read(from: NoTransport(), states, pages: pages, onPage: onPage)
        }
    }

    /// Nothing is requested.
    private struct NoTransport: HTTPSending {
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            throw HTTPError(.cancelled, "nothing may be requested")
        }
    }

    private static func list(_ ids: some Sequence<Int>) -> String {
        "{\"about\": {\"items\": [0]}, \"items\": [" + ids.map { "{\"id\": \($0)}" }.joined(separator: ",\n") + "]}"
    }

    // MARK: - What is read

    @Test(arguments: [ArchiveWriter.Form.zip, .tarGzip])
    func entriesAreReadInTheirOrder(_ form: ArchiveWriter.Form) async throws {
        let world = try World()
        try world.pack([("b/ä 1.json", Self.list(1...3)), ("x.txt", "no"), ("a.json", Self.list(4...5))], form)
        let reading = try await world.read()
        #expect(reading.error == nil)
        #expect(reading.ids == [1, 2, 3, 4, 5])
        #expect(reading.isComplete)
        #expect(world.bench.events.warnings == [])
    }

    @Test(arguments: [
        (".items", [1, 2]), (".items[]", [1, 2]), (".items // []", [1, 2]), (".items | map(select(.id > 1))", [2]),
        (".items[] | select(.id < 2)", [1]), ("[.items[]]", [1, 2]),
        (".about as $a | .items[] | .id += $a.items[0]", [1, 2]),
        (".items | length as $n | .[] | .id += $n", [3, 4]),
    ])
    func recordsMayBeAnyProgram(_ records: String, _ ids: [Int]) async throws {
        let world = try World("records: '\(records)'")
        try world.pack([("a.json", Self.list(1...2))])
        let reading = try await world.read()
        #expect(reading.error == nil)
        #expect(reading.ids == ids)
    }

    @Test func otherFormatsAreReadFromEntriesAsFromAnswers() async throws {
        let world = try World("decode: csv", entries: "[\"*.csv\", \"more/*\"]")
        try world.pack([("a.csv", "id,n\n1,x\n2,y\n"), ("more/b", "id,n\n3,z\n"), ("c.json", "[]")])
        let reading = try await world.read()
        #expect(reading.records == [#"{"id":"1","n":"x"}"#, #"{"id":"2","n":"y"}"#, #"{"id":"3","n":"z"}"#])
    }

    @Test func programsSeeTheNameOfTheEntry() async throws {
        let world = try World("records: '.items[] | {id, from: entry}'")
        try world.pack([("p/a.json", Self.list(1...1)), ("p/b.json", Self.list(2...2))])
        let reading = try await world.read()
        #expect(reading.records == [#"{"id":1,"from":"p/a.json"}"#, #"{"id":2,"from":"p/b.json"}"#])
    }

    @Test func withoutAFileThereIsNothingToRead() async throws {
        var world = try World()
        world.bench.config = JSONObject()
        let reading = try await world.read()
        #expect(reading.pages.isEmpty)
        #expect(reading.error == nil)
        #expect(world.states.value() == nil)
    }

    @Test func anExportWithoutTheKindIsAWarning() async throws {
        let world = try World()
        try world.pack([("a.txt", "x")])
        let reading = try await world.read()
        #expect(reading.isComplete)
        #expect(reading.records == [])
        #expect(world.bench.events.warnings == ["archive-lacks-entries"])
    }

    // MARK: - Where it goes on

    @Test func theSameArchiveIsNotReadAgainAndANewerOneIs() async throws {
        let world = try World()
        try world.pack([("a.json", Self.list(1...3))])
        #expect(try await world.read().ids == [1, 2, 3])
        let again = try await world.read()
        #expect(again.ids == [])
        #expect(again.error == nil)
        try world.pack([("a.json", Self.list(1...4))])
        #expect(try await world.read().ids == [1, 2, 3, 4])
        #expect(try await world.read().ids == [])
    }

    @Test func anInterruptedRunGoesOnWhereItStopped() async throws {
        let files = [("a.json", Self.list(1...5)), ("b.json", Self.list(6...6)), ("c.json", Self.list(7...9))]
        for pages in 1...6 {
            var world = try World()
            try world.pack(files)
            world.bench.options.blockRecords = 2
            world.bench.options.pageLimit = 100
            let first = try await world.read(pages: pages)
            let second = try await world.read()
            #expect(first.ids + second.ids == Array(1...9), "killed after page \(pages)")
            #expect(second.isComplete)
        }
    }

    @Test("a single output that is a list stands for its elements, however many blocks an entry has")
    func singleOutputs() async throws {
        let (none, some, other) = ("{}", #"{"rows": [{"id": 1}, {"id": 2}]}"#, #"{"rows": [{"id": 3}]}"#)
        for (elements, ids) in [
            ([some], [1, 2]), ([none, none, some, none, none], [1, 2]), ([some, none, none, other], [-1, -1]),
            ([none, some, none], [1, 2]), ([none, none, none], []), ([none, other, some, none], [-1, -1]),
        ] {
            for (block, pages) in [(100, 9), (1, 9), (2, 9), (1, 1), (1, 2), (1, 3), (2, 1), (1, 4)] {
                var world = try World("records: '.items[] | .rows // empty'")
                try world.pack([
                    ("a.json", "{\"items\": [\(elements.joined(separator: ","))]}"), ("b.json", Self.list(7...7)),
                ])
                world.bench.options.blockRecords = block
                let killed = try await world.read(pages: pages)
                let rest = killed.isComplete ? [] : try await world.read().ids
                // The second entry has no rows.
                #expect(killed.ids + rest == ids, "\(elements), \(block), \(pages)")
            }
        }
    }

    @Test func aPlaceInAnotherArchiveIsOfNoUse() async throws {
        var world = try World()
        try world.pack([("a.json", Self.list(1...5))])
        world.bench.options.blockRecords = 2
        world.bench.options.pageLimit = 100
        #expect(try await world.read(pages: 1).ids == [1, 2])
        try world.pack([("a.json", Self.list(2...6))])
        #expect(try await world.read().ids == [2, 3, 4, 5, 6])
    }

    private static let calendar = [
        "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:20261121T120000Z", "RRULE:FREQ=DAILY", "END:VEVENT",
        "END:VCALENDAR", "",
    ].joined(separator: "\r\n")

    private static func starts(_ reading: Reading) throws -> [String] {
        #expect(reading.error == nil)
        return try reading.records.map { try #require(JSONValue(parsing: $0)["start"]?.stringText) }
    }

    @Test("which times of a calendar are given depends on the day, also where the archive stays the same")
    func calendars() async throws {
        let world = try World("decode: {ics: {past: 1h, future: 2d}}", entries: "\"*.ics\"")
        try world.pack([("a.ics", Self.calendar)])
        let days = (21...24).map { "2026-11-\($0)T12:00:00Z" }
        #expect(try Self.starts(await world.read()) == Array(days[0...2]))
        world.bench.clock.advance(.seconds(3600))
        #expect(try Self.starts(await world.read()) == [])
        world.bench.clock.advance(.seconds(86_400))
        #expect(try Self.starts(await world.read()) == Array(days[1...3]))
    }

    @Test("a run of the next day does not pass over as many times as were given the day before")
    func interruptedCalendars() async throws {
        var world = try World("decode: {ics: {past: 1h, future: 2d}}", entries: "\"*.ics\"")
        world.bench.options.blockRecords = 1
        world.bench.options.pageLimit = 100
        try world.pack([("a.ics", Self.calendar)])
        let days = (21...24).map { "2026-11-\($0)T12:00:00Z" }
        #expect(try Self.starts(await world.read(pages: 1)) == [days[0]])
        world.bench.clock.advance(.seconds(86_400))
        #expect(try Self.starts(await world.read()) == Array(days[1...3]))
    }

    // MARK: - What is wrong

    @Test("what lies before a place is read again with another manifest")
    func theManifestIsCorrectedInTheMiddle() async throws {
        var world = try World("records: '.items[]'")
        try world.pack([
            ("a.json", #"{"items": [{"id": 1}], "archived": [{"id": 2}]}"#),
            ("b.json", #"{"items": "-", "archived": [{"id": 3}]}"#),
        ])
        let first = try await world.read()
        #expect(first.error?.code == "records-failed")
        #expect(first.ids == [1])
        // The same manifest goes on at the entry that could not be read, a corrected one begins anew.
        #expect(try await world.read().ids == [])
        try world.change("records: '.items[]?, .archived[]'")
        let second = try await world.read()
        #expect(second.error == nil)
        #expect(second.ids == [1, 2, 3])
        #expect(second.isComplete)
    }

    @Test func aFileThatIsOverwrittenMeanwhileGivesNoMoreRecords() async throws {
        var world = try World()
        world.bench.options.pageLimit = 100
        try world.pack((1...4).map { ("\($0).json", Self.list($0...$0)) })
        let file = try FileHandle(forUpdating: URL(filePath: world.folder + "/export.zip"))
        let size = try file.seekToEnd()
        let reading = try await world.read { if $0 == 2 { try file.write(contentsOf: [0]) } }
        #expect(reading.error?.code == "archive-unreadable")
        #expect(reading.ids == [1, 2])
        // The archive that was meant is read from there on.
        try file.truncate(atOffset: size)
        let second = try await world.read()
        #expect(second.error == nil)
        #expect(second.ids == [3, 4])
    }

    @Test("an entry that 'records' needs as a whole has a limit, which the message names")
    func largeEntries() async throws {
        func world(_ http: String = "") throws -> World { try World("records: .items | sort_by(.id)", http: http) }
        func files(_ megabytes: Int) -> [(String, String)] {
            let text = String(repeating: "0123456789abcdef", count: megabytes << 16)
            return [("a.json", "{\"items\": [{\"id\": 1}], \"x\": \"\(text)\"}"), ("b.json", Self.list(2...2))]
        }
        let usual = try world()
        try usual.pack(files(17))
        let reading = try await usual.read()
        #expect(reading.error == nil)
        #expect(reading.ids == [1, 2])
        let strict = try world("http: {max_body: 4MiB}")
        try strict.pack(files(4))
        let refused = try await strict.read()
        #expect(refused.ids == [2])
        #expect(
            refused.error?.message
                == "the entry 'a.json' of the archive cannot be read as JSON, line 1: data that is not read in pieces may have 4 MiB "
                + "('http.max_body'): make 'records' begin with the path of the list, as '.items[]' does"
        )
        #expect(
            refused.error?.advice
                == "what comes before it is delivered, and so are the other entries: 'http.max_body' in the "
                + "manifest raises the limit for entries that are read as a whole; the other limits are fixed"
        )
    }

    @Test func anEntryThatCannotBeReadHoldsUpNoOther() async throws {
        let world = try World()
        try world.pack([
            ("a.json", Self.list(1...2)), ("b.json", "{\"items\": [{\"id\": 3}, "), ("c.json", Self.list(4...5)),
        ])
        let reading = try await world.read()
        #expect(reading.ids == [1, 2, 3, 4, 5])
        #expect(!reading.isComplete)
        #expect(reading.error?.code.text == "archive-entry")
        #expect(
            reading.error?.message
                == "the entry 'b.json' of the archive cannot be read as JSON, line 1: the JSON ends too soon"
        )
        // The next run comes back to it.
        let second = try await world.read()
        #expect(second.ids.filter { $0 > 3 } == [4, 5])
        #expect(second.error?.code.text == "archive-entry")
        try world.pack([("a.json", Self.list(1...2)), ("b.json", Self.list(3...3)), ("c.json", Self.list(4...5))])
        let third = try await world.read()
        #expect(third.ids == [1, 2, 3, 4, 5])
        #expect(third.isComplete)
    }

    @Test func recordsThatAreMissingInOneEntryAreToldAndTheOthersRead() async throws {
        let world = try World()
        try world.pack([("a.json", "{\"other\": 1}"), ("b.json", Self.list(1...2)), ("c.json", "{\"items\": null}")])
        let reading = try await world.read()
        #expect(reading.ids == [1, 2])
        #expect(reading.error?.code.text == "records-missing")
        #expect(reading.error?.message.contains("the entry 'a.json' has no records") == true)
        #expect(reading.error?.message.hasSuffix("; 1 more of its entries cannot be read: 'c.json'") == true)
    }

    @Test("a single file that does not match is looked at again: under another name it may")
    func aFileOfAnotherName() async throws {
        var world = try World(entries: "\"a*.json\"")
        let text = Array(Self.list(1...2).utf8)
        for (name, ids) in [("b.json", []), ("b.json", []), ("a.json", [1, 2]), ("a.json", [])] as [(String, [Int])] {
            try Data(text).write(to: URL(filePath: "\(world.folder)/\(name)"))
            world.bench.config["export"] = .text("\(world.folder)/\(name)")
            let reading = try await world.read()
            #expect(reading.error == nil)
            #expect(reading.ids == ids)
        }
        #expect(world.bench.events.warnings == ["archive-lacks-entries", "archive-lacks-entries"])
    }

    @Test func anArchiveThatWasCutShortIsNotComplete() async throws {
        let world = try World()
        try world.pack([("a.json", Self.list(1...2000)), ("b.json", Self.list(2001...4000))])
        let path = world.folder + "/export.zip"
        let bytes = try Data(contentsOf: URL(filePath: path))
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: path))
        let reading = try await world.read()
        #expect(Array(reading.ids.prefix(2000)) == Array(1...2000))
        #expect(reading.error?.code.text == "archive-unreadable")
        #expect(
            reading.error?.message.contains("entry 'b.json': it ends too soon") == true,
            "\(String(describing: reading.error))"
        )
        try bytes.write(to: URL(filePath: path))
        let second = try await world.read()
        #expect(Set(reading.ids + second.ids) == Set(1...4000))
        #expect(second.isComplete)
    }

    @Test func aFileThatIsNotThereIsTheConfigurationsFault() async throws {
        let world = try World()
        let reading = try await world.read()
        #expect(reading.error?.code.text == "archive-unopened")
        #expect(reading.error?.exit == .configuration)
        #expect(reading.error?.message == "the file in 'config.export' cannot be opened: there is no such file")
    }
}
