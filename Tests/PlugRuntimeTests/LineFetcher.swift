import LosslessJSON
import PlugCore
import Synchronization
import TestKit

/// What a source has: lines of JSON by stream, and where reading them fails.
final class LineSource: Sendable {
    private let content = Mutex<[String: [String]]>([:])
    private let failing = Mutex<[String: Int]>([:])

    private let oneShot = Mutex(false)
    private let readCount = Mutex(0)

    private let hooks = Mutex<[String: @Sendable () -> Void]>([:])

    /// Called when a stream is read.
    func onRead(_ stream: String, _ hook: @escaping @Sendable () -> Void) { hooks.withLock { $0[stream] = hook } }
    func noteRead(of stream: String) {
        noteRead()
        hooks.withLock { $0[stream] }?()
    }

    /// Whether pages can be read once only.
    func isOneShot(_ isOneShot: Bool) { oneShot.withLock { $0 = isOneShot } }
    var isRepeatable: Bool { oneShot.withLock { !$0 } }
    /// How many pages were read.
    var reads: Int { readCount.withLock { $0 } }
    func noteRead() { readCount.withLock { $0 += 1 } }

    func set(_ lines: [String], of stream: String = "items") { content.withLock { $0[stream] = lines } }
    /// From this line on, reading fails; `nil` heals it.
    func fail(at line: Int?, of stream: String = "items") { failing.withLock { $0[stream] = line } }

    func lines(of stream: String) -> [String] { content.withLock { $0[stream] ?? [] } }
    func failure(of stream: String) -> Int? { failing.withLock { $0[stream] } }
}

/// A fetcher without HTTP: it pages through lines, continues at one, and begins again after a pass.
struct LineFetcher: Fetcher {
    let source: LineSource
    let pageSize: Int
    /// Whether all lines are one answer, which comes in pages and is read again from its start where reading ended before its end.
    var isOneAnswer = false

    func withReader<Result>(
        of stream: String,
        from states: any StreamStates,
        _ body: (any PageReader) async throws -> Result
    ) async throws -> Result {
        let state = try await states.state(of: "").flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) }
        let reader = LineReader(
            source: source,
            stream: stream,
            pageSize: pageSize,
            isOneAnswer: isOneAnswer,
            next: state ?? 0
        )
        return try await body(reader)
    }
}

private actor LineReader: PageReader {
    private let source: LineSource
    private let stream: String
    private let pageSize: Int
    private let isOneAnswer: Bool
    private var position: Int

    init(source: LineSource, stream: String, pageSize: Int, isOneAnswer: Bool, next: Int) {
        self.source = source
        self.stream = stream
        self.pageSize = pageSize
        self.isOneAnswer = isOneAnswer
        position = next
    }

    func next() async throws -> FetchedPage? {
        let lines = source.lines(of: stream)
        source.noteRead(of: stream)
        if let failure = source.failure(of: stream), position >= failure {
            throw PlugError("lines-broken", exit: .data, "the lines of \(stream) are broken")
        }
        let (beginsPass, preceding) = (position == 0, isOneAnswer ? position : 0)
        let end = min(position + pageSize, lines.count)
        let records = try lines[min(position, end)..<end].map { try JSONDocument(bytes: Array($0.utf8)).root }
        position = end
        let isOver = end == lines.count
        var page = FetchedPage(
            records: records,
            states: ["": StreamState(Array(String(isOver || isOneAnswer ? 0 : end).utf8))],
            endsPass: isOver,
            isRepeatable: source.isRepeatable,
            cost: FetchedPage.Cost(requests: 1, pages: 1, bytes: 10),
            origin: "lines"
        )
        page.beginsPass = beginsPass
        page.preceding = preceding
        return page
    }
}
