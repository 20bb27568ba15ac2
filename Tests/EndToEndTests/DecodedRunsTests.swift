import Foundation
import LosslessJSON
import Synchronization
import TestKit
import Testing

/// Runs of the built program over answers that are not JSON, from a service on loopback.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct DecodedRunsTests {
    /// A service whose answer the test changes, a PDA that takes everything, and runs between them.
    private final class Runs: Sendable {
        let answer: Mutex<[UInt8]>
        let posted = Mutex<[String]>([])
        let folder: String
        let pda: String
        let source: String

        init(_ answer: [UInt8], folder: String, pda: String, source: String) {
            self.source = source
            self.answer = Mutex(answer)
            self.folder = folder
            self.pda = pda
        }

        /// What a run prints, and the `_id`s that the PDA got by it.
        func run() async throws -> (status: Int32, errors: String, sent: [String]) {
            posted.withLock { $0 = [] }
            let ended = try await BuiltProgram.run(
                [
                    "run", folder + "/plug.yaml", "--state", folder + "/state", "--connection", "ada", "--pda",
                    "http://\(pda)", "--token-file", folder + "/token", "--allow-network", "127.0.0.0/8",
                ],
                in: folder
            )
            return (ended.status, ended.errors, posted.withLock { $0.sorted() })
        }

        /// Code and reason of each dead letter.
        func deadLetters() async throws -> [String] {
            let list = ["deadletters", "list", "--state", folder + "/state", "--json"]
            return try await BuiltProgram.run(list, in: folder).output.split(separator: "\n").map { line in
                let letter = try JSONValue(parsing: String(line))
                let reason = (letter["reason"]?.stringText ?? "-").replacing("http://\(source)", with: "SOURCE")
                return "\(letter["code"]?.stringText ?? "-"): \(reason)"
            }
        }
    }

    /// - Parameters:
    ///   - decode: What stands behind `decode:`.
    ///   - type: The answer's content type.
    private func with(
        _ decode: String,
        key: String = ".id",
        type: String,
        _ answer: [UInt8],
        _ body: (Runs) async throws -> Void
    ) async throws {
        let shared = Mutex<Runs?>(nil)
        let source = try LoopbackServer { connection in
            while connection.next() != nil {
                let bytes = shared.withLock { $0 }?.answer.withLock { $0 } ?? []
                guard connection.answer(200, ["Content-Type: \(type)"], bytes) else { return }
            }
        }
        defer { source.stop() }
        let pda = try LoopbackServer.answering { request in
            let records = (try? JSONValue(parsing: request.body))?.elements ?? []
            shared.withLock { $0 }?.posted.withLock { all in all += records.compactMap { $0["_id"]?.stringText } }
            return PlainWorld.taking(request)
        }
        defer { pda.stop() }
        try await BuiltProgram.withFolder { folder in
            try Data(
                """
                plug: plain
                api: 1
                version: 1.0.0
                hosts: ["\(source.authority)"]
                http: {base: "http://\(source.authority)", retry: {tries: 1}}
                streams:
                  items: {endpoint: items, request: {path: /}, decode: \(decode), key: [\(key)], version: none}

                """.utf8
            ).write(to: URL(filePath: folder + "/plug.yaml"))
            try HandmadeToken.write(application: "plain", of: pda.authority, to: folder + "/token")
            let runs = Runs(answer, folder: folder, pda: pda.authority, source: source.authority)
            shared.withLock { $0 = runs }
            try await body(runs)
        }
    }

    @Test func brokenRowsBecomeDeadLettersOnceAndTheOthersArrive() async throws {
        let rows = Array("id;name\r\n1;Zo".utf8) + [0xEB] + Array("\r\n2\r\n3;B\r\n4;C;D\r\n".utf8)
        try await with("{csv: {separator: ';'}}", type: "text/csv; charset=windows-1252", rows) { runs in
            let first = try await runs.run()
            #expect(first.status == 1)
            #expect(first.sent == ["plain/items/1", "plain/items/3"])
            let letters = [
                "record-broken: SOURCE/: line 3: it has 1 cell, and the file has 2 columns",
                "record-broken: SOURCE/: line 5: it has 3 cells, and the file has 2 columns",
            ]
            #expect(try await runs.deadLetters() == letters)
            // The same answer again: nothing is sent, and nothing is told twice.
            let second = try await runs.run()
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.sent == [])
            #expect(try await runs.deadLetters() == letters)
        }
    }

    @Test func anAnswerThatBreaksOffIsReadAgain() async throws {
        let whole = "id,name\n" + (0..<2500).map { "\($0),x\n" }.joined()
        try await with("csv", type: "text/csv", Array("\(whole)9999,\"never\nends\n".utf8)) { runs in
            let first = try await runs.run()
            #expect(first.status == 65)
            #expect(first.errors.contains("[page-not-decoded]"), "\(first.errors)")
            #expect(
                first.errors.contains("line 2502: the quote that begins in this line does not end"),
                "\(first.errors)"
            )
            #expect(first.sent.count == 2500)
            runs.answer.withLock { $0 = Array("\(whole)9999,ends\n".utf8) }
            let second = try await runs.run()
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.sent == ["plain/items/9999"])
        }
    }

    @Test func aPageInPlaceOfAFeedIsAnErrorAndTheFeedIsReadAgain() async throws {
        let page = "<!DOCTYPE html>\n<html><body>Sign in</body></html>"
        try await with("feed", type: "text/html", Array(page.utf8)) { runs in
            let first = try await runs.run()
            #expect(first.status == 65)
            #expect(first.errors.contains("it is an HTML page, not a feed"), "\(first.errors)")
            #expect(first.sent == [])
            let feed = "<rss><channel><item><guid>a</guid></item><item><guid>b</guid></item></channel></rss>"
            runs.answer.withLock { $0 = Array(feed.utf8) }
            let second = try await runs.run()
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.sent == ["plain/items/a", "plain/items/b"])
        }
    }

    @Test func entitiesOfItsOwnStayAsTheyAreWritten() async throws {
        let laughs = "<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><r><item id=\"1\">&b;</item></r>"
        try await with("{xml: {records: item}}", key: "'.[\"@id\"]'", type: "text/xml", Array(laughs.utf8)) { runs in
            let run = try await runs.run()
            #expect(run.status == 0)
            #expect(run.sent == ["plain/items/1"])
            #expect(run.errors.contains("[text-replaced]"), "\(run.errors)")
        }
    }

    @Test func anEndlessRecurrenceEndsAndABrokenEventIsADeadLetter() async throws {
        let calendar = """
            BEGIN:VCALENDAR\r
            BEGIN:VEVENT\r
            UID:daily\r
            DTSTART;TZID=Europe/Berlin:20200101T100000\r
            RRULE:FREQ=DAILY\r
            END:VEVENT\r
            BEGIN:VEVENT\r
            UID:broken\r
            DTSTART:soon\r
            END:VEVENT\r
            END:VCALENDAR\r

            """
        let key = "'.uid + \" \" + (.recurrence_id // \"\")'"
        try await with("{ics: {past: 10d, future: 10d}}", key: key, type: "text/calendar", Array(calendar.utf8)) {
            runs in
            let run = try await runs.run()
            #expect(run.status == 1, "\(run.errors)")
            // One for each day around now.
            #expect((20...21).contains(run.sent.count))
            #expect(try await runs.deadLetters() == ["record-broken: SOURCE/: line 7: its DTSTART is not a time"])
        }
    }

    @Test func linesOfJSONKeepTheirDigitsAndALastHalfLineIsADeadLetter() async throws {
        let lines = (0..<1500).map { "{\"id\":1844674407370955\(1616 + $0)}\n" }.joined()
        try await with("jsonl", type: "application/x-ndjson", Array("\(lines){\"id\":".utf8)) { runs in
            let run = try await runs.run()
            #expect(run.status == 1)
            #expect(run.sent.count == 1500)
            #expect(run.sent.contains("plain/items/18446744073709551616"))
            #expect(try await runs.deadLetters().count == 1)
        }
    }
}
