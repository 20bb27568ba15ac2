import Synchronization
import TestKit

/// A service on loopback: pages of ten records with next links, ids beyond 64 bits. A page can be held back.
final class PagedSource: Sendable {
    static let pageSize = 10
    private let server: LoopbackServer
    private let book: Book
    private let asked: AsyncStream<Void>

    /// What the server's threads and the test share.
    private final class Book: Sendable {
        /// The page that is held back.
        let held = Mutex<Int?>(nil)
        let times = Mutex<[ContinuousClock.Instant]>([])
    }

    init(pages: Int) throws {
        let book = Book()
        let (asked, tell) = AsyncStream<Void>.makeStream()
        server = try LoopbackServer.answering { request in
            let page = Int(request.target.dropFirst()) ?? 0
            book.times.withLock { $0.append(.now) }
            if book.held.withLock({ $0 }) == page {
                tell.yield()
                return .none
            }
            let records = (0..<Self.pageSize).map { Self.record(page * Self.pageSize + $0) }.joined(separator: ",")
            let next = page + 1 < pages ? "\"/\(page + 1)\"" : "null"
            return .whole(200, #"{"items": [\#(records)], "next": \#(next)}"#)
        }
        (self.book, self.asked) = (book, asked)
    }

    var authority: String { server.authority }

    func stop() { server.stop() }

    /// When requests came.
    var arrivals: [ContinuousClock.Instant] { book.times.withLock { $0 } }

    /// Answers a page no more: whoever asks for it waits.
    func hold(_ page: Int?) { book.held.withLock { $0 = page } }

    /// Returns when the page that is held back has been asked for.
    func waitForTheHeldPage() async { for await _ in asked { return } }

    /// A record as the source writes it.
    static func record(_ number: Int) -> String {
        #"{"id": 1844674407370955\#(1616 + number), "price": 1.10, "n": 1e400}"#
    }
}
