import Glibc
import LosslessJSON
import PlugCore
import TestKit
import Testing

/// A fetcher that knows nothing of HTTP: it reads a file of JSON lines, so many at a time, and continues at a byte.
private struct LinesFetcher: Fetcher {
    let path: String
    let pageSize: Int

    func withReader<Result>(
        of stream: String,
        from states: any StreamStates,
        _ body: (any PageReader) async throws -> Result
    ) async throws -> Result {
        let state = try await states.state(of: "").flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) }
        return try await body(LinesReader(path: path, pageSize: pageSize, offset: state ?? 0))
    }
}

private actor LinesReader: PageReader {
    private let path: String
    private let pageSize: Int
    private var rest: ArraySlice<UInt8>
    private var isOver = false

    init(path: String, pageSize: Int, offset: Int) throws {
        self.path = path
        self.pageSize = pageSize
        guard let file = fopen(path, "r") else {
            throw PlugError("file-missing", exit: .unreachable, "there is no \(path)")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        rest = bytes[min(offset, bytes.count)...]
    }

    func next() async throws -> FetchedPage? {
        if isOver { return nil }
        var records: [JSONView] = []
        while records.count < pageSize, let end = rest.firstIndex(of: 0x0A) {
            records.append(try JSONDocument(bytes: rest[rest.startIndex..<end]).root)
            rest = rest[(end + 1)...]
        }
        isOver = rest.isEmpty
        let state = StreamState(Array(String(rest.startIndex).utf8))
        return FetchedPage(records: records, states: ["": state], endsPass: isOver, origin: path)
    }
}

struct LinesFetcherTests {
    @Test func carriesMoreThanHTTPOverTheSameProtocol() async throws {
        let path = "/tmp/plughost-lines-\(getpid()).jsonl"
        let file = try #require(fopen(path, "w"))
        fputs((1...5).map { "{\"id\":\($0)}\n" }.joined(), file)
        fclose(file)
        defer { unlink(path) }
        let fetcher: any Fetcher = LinesFetcher(path: path, pageSize: 2)
        let states = MemoryStates()
        func read(pages: Int) async throws -> Reading {
            var reading = Reading()
            try await fetcher.withReader(of: "lines", from: states) { reader in
                while reading.pages.count < pages, let page = try await reader.next() {
                    reading.pages.append(page)
                    states.commit(page.states)
                }
            }
            return reading
        }
        #expect(try await read(pages: 1).ids == [1, 2])
        let rest = try await read(pages: .max)
        #expect(rest.ids == [3, 4, 5])
        #expect(rest.isComplete)
    }
}
