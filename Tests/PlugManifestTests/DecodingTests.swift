import Decoding
import PlugCore
import Testing

@testable import PlugManifest

struct DecodingTests {
    private func format(_ decode: String) throws -> AnswerDecoding? {
        try Sample.manifest(Sample.withStream("decode: \(decode)")).streams[0].decoding
    }

    /// The same dialect for records that need a column 'id', as those of the sample do.
    private func needingID(_ dialect: DelimitedDialect) -> RecordFormat {
        var dialect = dialect
        dialect.expected = ["id"]
        return .delimited(dialect)
    }

    @Test func formatsAreWordsOrMappings() throws {
        #expect(try format("json") == nil)
        #expect(try format("jsonl")?.format == .jsonLines)
        #expect(try format("csv")?.format == needingID(DelimitedDialect()))
        #expect(try format("tsv: {}".asMapping)?.format == needingID(.tabs))
        #expect(try format("feed")?.format == .feed)
        #expect(try format("ics")?.format == .calendar(CalendarWindow()))
        #expect(
            try format("ics: {past: 30d, future: 1h}".asMapping)?.format
                == .calendar(CalendarWindow(past: .seconds(30 * 86400), future: .seconds(3600)))
        )
        #expect(
            try format("lines: {encoding: latin1}".asMapping)
                == AnswerDecoding(format: .lines, charset: Charset("latin1"))
        )
        #expect(
            try format("csv: {separator: tab, quote: none, header: [a, b], skip: 2, ragged: pad}".asMapping)?.format
                == needingID(
                    DelimitedDialect(separator: 9, quote: nil, header: .names(["a", "b"]), skip: 2, ragged: .pad)
                )
        )
        #expect(
            try format("xml: {records: /a/*/b, namespaces: strip, lists: [x]}".asMapping)?.format
                == .xml(XMLOptions(records: try #require(XMLPath("/a/*/b")), namespaces: .strip, lists: ["x"]))
        )
    }

    @Test func answersOfMoreThanAGibibyteAreForPlugsThatReadAllInPieces() throws {
        func read(_ size: String, _ decode: String, _ more: String = "") -> ManifestResult {
            let http = "http: {base: https://api.example.org/v1, max_body: \(size)}\n"
            return Sample.read(Sample.header + http + Sample.stream + "    decode: \(decode)\n\(more)")
        }
        #expect(try Sample.manifest(read("16GiB", "csv")).http.answers.body == 16 << 30)
        #expect(try Sample.manifest(read("16GiB", "csv")).http.answers.page == 1 << 30)
        #expect(try Sample.manifest(read("1GiB", "json")).http.answers.page == 1 << 30)
        #expect(Sample.places(read("17GiB", "csv")) == ["7:52 not-a-size"])
        let pieces = read("2GiB", "json", "    records: '.items[]'\n    page: {next: .next}\n")
        #expect(try Sample.manifest(pieces).http.answers.body == 2 << 30)
        let refused = read("2GiB", "json", "    records: .items | sort_by(.id)\n")
        #expect(Sample.places(refused) == ["7:52 not-a-size"])
        #expect(
            refused.diagnostics.map(\.message) == [
                "'max_body' may be more than 1GiB only where the answers of all streams are read in pieces: those of 'things' are "
                    + "read in memory"
            ]
        )
    }

    @Test func mistakesAreToldWhereTheyAre() {
        let mistakes = [
            "cvs": "14:13 wrong-type", "{csv: {separator: ', '}}": "14:31 bad-decoding",
            "{csv: {seperator: ','}}": "14:20 unknown-key", "{csv: {encoding: utf-99}}": "14:30 bad-decoding",
            "{csv: {quote: ''}}": "14:27 bad-decoding", "{csv: {header: name}}": "14:28 bad-decoding",
            "{csv: {header: [a, a]}}": "14:28 bad-decoding", "{xml: {records: 'a//b'}}": "14:29 bad-decoding",
            "{csv: {}, xml: {}}": "14:23 two-kinds", "{csv: {separator: '\"'}}": "14:20 bad-decoding",
        ]
        let query = """
            streams:
              things:
                {endpoint: things, key: .id, version: none, decode: csv, request: {method: POST, path: /q, graphql: {query: "{ a }"}}}

            """
        #expect(Sample.places(Sample.read(Sample.header + Sample.http + query)) == ["10:49 bad-decoding"])
        for (decode, place) in mistakes {
            #expect(Sample.places(Sample.withStream("decode: \(decode)")) == [place], "\(decode)")
        }
    }
}

extension String {
    fileprivate var asMapping: String { "{\(self)}" }
}
