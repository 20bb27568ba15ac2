import CurlTransport
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugFetch

/// Answers that are decoded, and larger than what memory is for.
@Suite(.fewAtATime)
struct LargeAnswerTests {
    private static let filling = String(repeating: "x", count: 990)

    /// About 1,000 bytes a row.
    private static func rows(_ count: Int) -> String {
        var text = "id,text\n"
        text.reserveCapacity(count * 1000)
        for number in 0..<count { text += "\(number),\(filling)\n" }
        return text
    }

    @Test("a file of 40 MB is read block by block, and no block counts for more than itself")
    func fortyMegabytes() async throws {
        let body = Self.rows(40_000)
        let size = body.utf8.count
        #expect(size > 39_800_000)
        try await LargeAnswers.with(.json(body)) { bench, transport, space in
            var (records, bytes, largest) = (0, 0, 0)
            var ends: [Bool] = []
            try await bench.fetcher(transport).withReader(of: "things", from: MemoryStates()) { reader in
                while let page = try await reader.next() {
                    if records == 0 { #expect(space.openModes == [0o600]) }
                    records += page.records.count
                    bytes += page.cost.bytes
                    largest = max(largest, page.weight ?? page.cost.bytes)
                    ends.append(page.endsPass)
                }
            }
            #expect(records == 40_000)
            #expect(bytes == size)
            #expect(largest > 900_000 && largest < 1_200_000)
            #expect(ends.count > 30 && ends.last == true)
        }
    }

    @Test func aReaderThatEndsBehindABlockLeavesNothing() async throws {
        try await LargeAnswers.with(.json(Self.rows(4000))) { bench, transport, space in
            let part = try await bench.read(from: transport, pages: 2)
            #expect(part.pages.count == 2 && !part.isComplete)
            #expect(space.openModes == [])
        }
    }

    @Test func whatARunMayTakeOfTheDiskIsTold() async throws {
        try await LargeAnswers.with(.json(Self.rows(4000))) { bench, transport, _ in
            var bench = bench
            bench.options.scratchRoom = ScratchRoom(limit: 2 << 20)
            let error = try await bench.read(from: transport).error
            #expect(error?.code == "answer-not-kept" && error?.exit == .tryLater)
            #expect(
                error?.message.hasSuffix("may take 2 MiB together (--scratch-limit, or limits.scratch of a host)")
                    == true
            )
        }
    }

    @Test func anAnswerThatIsCutOrTooLargeSaysSo() async throws {
        let body = Self.rows(2000)
        try await LargeAnswers.with(SourceServer.Answer(body: body, short: 1000)) { bench, transport, _ in
            let error = try await bench.read(from: transport).error
            #expect(error?.code == "page-truncated")
        }
        try await LargeAnswers.with(.json(body), limit: "1900KiB") { bench, transport, _ in
            let error = try await bench.read(from: transport).error
            #expect(error?.code == "page-unreadable")
        }
    }

    @Test func aDiskThatDoesNotTakeItIsForLater() async throws {
        try await LargeAnswers.with(.json(Self.rows(2000))) { bench, transport, space in
            var bench = bench
            bench.options.scratchFolder = space.path + "/missing"
            let error = try #require(try await bench.read(from: transport).error)
            #expect(error.code == "answer-not-kept" && error.exit == .tryLater)
            let reason = " sent a body that cannot be kept in a temporary file: No such file or directory"
            #expect(error.message.hasPrefix("GET http://127.0.0.1:") && error.message.hasSuffix(reason))
        }
    }

    @Test("the condition of a rule sees a body that is in memory, and null for one that waits in a file")
    func conditions() async throws {
        let keys = "decode: jsonl, on: [{status: 200, if: '. != null', do: skip}]"
        for (size, records) in [(100, 0), (1_500_000, 1)] {
            let body = "{\"id\":\"\(String(repeating: "x", count: size))\"}\n"
            try await LargeAnswers.with(.json(body), keys) { bench, transport, _ in
                let reading = try await bench.read(from: transport)
                #expect(reading.error == nil)
                #expect(reading.records.count == records)
            }
        }
    }

    @Test("only requests for answers that are read in pieces may use the disk, and have more than 1 GiB")
    func requests() async throws {
        for (keys, threshold) in [
            ("decode: csv", 1 << 20), ("records: .", 4 << 20), ("records: 'sort_by(.id)'", nil),
        ] {
            let spools = threshold != nil
            var bench = try LargeAnswers.bench(keys)
            var http = bench.manifest.http
            http.answers.body = 2 << 30
            bench.manifest = bench.manifest.replacing(http: http)
            bench.options.scratchFolder = "/somewhere"
            let script = Script(.json(keys.hasPrefix("decode") ? "id\n1\n" : "[{\"id\":1}]"))
            _ = try await bench.read(from: script)
            // What stays in memory, such as an error, has the limits of a page.
            #expect(script.sent.map(\.bodyLimit) == [1 << 30] && script.sent.map(\.wireLimit) == [1 << 30])
            #expect(script.sent.map(\.spooling?.bodyLimit) == [spools ? 2 << 30 : nil])
            #expect(script.sent.map(\.spooling?.folder) == [spools ? "/somewhere" : nil])
            #expect(script.sent.map(\.spooling?.threshold) == [threshold])
        }
    }
}
