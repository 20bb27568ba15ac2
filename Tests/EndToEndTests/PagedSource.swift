import Glibc
import Synchronization

/// A service on loopback: pages of ten records with next links, ids beyond 64 bits. A page can be held back.
final class PagedSource: Sendable {
    static let pageSize = 10
    let authority: String
    private let listener: Int32
    private let pageCount: Int
    /// The page that is held back, and who waits for somebody to ask for it.
    private let held = Mutex<Int?>(nil)
    private let times = Mutex<[ContinuousClock.Instant]>([])
    private let asked: AsyncStream<Int>
    private let tell: AsyncStream<Int>.Continuation

    struct Failure: Error {}

    init(pages: Int) throws {
        pageCount = pages
        (asked, tell) = AsyncStream.makeStream()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard listens else { throw Failure() }
        authority = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        onAThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let self else { return }
                onAThread { self.serve(connection) }
            }
        }
    }

    /// Wakes `accept`, which then fails.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// When requests came.
    var arrivals: [ContinuousClock.Instant] { times.withLock { $0 } }

    /// Answers a page no more: whoever asks for it waits.
    func hold(_ page: Int?) { held.withLock { $0 = page } }

    /// Returns when the page that is held back has been asked for.
    func waitForTheHeldPage() async { for await _ in asked { return } }

    /// A record as the source writes it.
    static func record(_ number: Int) -> String {
        #"{"id": 1844674407370955\#(1616 + number), "price": 1.10, "n": 1e400}"#
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var head: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(connection, &chunk, chunk.count)
            guard count > 0 else { return }
            head += chunk[..<count]
            guard head.suffix(4) == Array("\r\n\r\n".utf8)[...] else { continue }
            let page = Int(String(decoding: head, as: UTF8.self).split(separator: " ")[1].dropFirst()) ?? 0
            head = []
            times.withLock { $0.append(.now) }
            if held.withLock({ $0 }) == page {
                tell.yield(page)
                // The client's end of the connection is the end of waiting.
                _ = read(connection, &chunk, 1)
                return
            }
            let records = (0..<Self.pageSize).map { Self.record(page * Self.pageSize + $0) }.joined(separator: ",")
            let next = page + 1 < pageCount ? "\"/\(page + 1)\"" : "null"
            let body = #"{"items": [\#(records)], "next": \#(next)}"#
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
            guard write(connection, answer, answer.count) == answer.count else { return }
        }
    }
}

/// Runs something that blocks on a thread of its own.
func onAThread(_ work: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    pthread_create(
        &thread,
        nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
            return nil
        },
        box.toOpaque()
    )
    pthread_detach(thread)
}
