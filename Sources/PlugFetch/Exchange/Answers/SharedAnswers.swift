import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import Throttling

/// Answers that several streams of a run are read from: a parent's pages hold its own records and lead to those of its children.
/// The first to ask sends the request; the others take its answer, so that a parent is read once.
///
/// An answer is kept until all have had it, and only while there is room for it; otherwise it is requested again. No reader gets
/// the same answer twice: one that asks again wants to know what has changed.
final class SharedAnswers: Sendable {
    /// A request as the source sees it.
    private struct Question: Hashable {
        let stream: String
        let method: String
        let url: String
        let headers: [String]
        let body: [UInt8]?

        init(_ request: PreparedRequest, of stream: String) {
            self.stream = stream
            method = request.method
            url = request.url.description
            let condition = request.condition.map { [$0] } ?? []
            headers = (request.headers + condition).map { "\($0.name): \($0.value)" }
            body = request.body
        }
    }

    /// What is known about a question.
    private final class Entry: Sendable {
        struct State {
            /// The answer, and the readers still to receive it.
            var kept: (answer: Answer, size: Int, waiting: Set<String>)?
            /// The failure of the last request for it, for those who queued meanwhile.
            var failure: PlugError?
            /// How many are asking for it at the moment.
            var users = 0
        }

        /// Askers wait here for the one that sends.
        let line = AsyncSemaphore(width: 1)
        let state = Mutex(State())
        private let room: AnswerRoom

        init(_ room: AnswerRoom) { self.room = room }

        deinit { if let size = state.withLock({ $0.kept?.size }) { room.give(back: size) } }
    }

    private let readers: [String: Set<String>]
    private let room: AnswerRoom
    private let entries = Mutex<[Question: Entry]>([:])
    /// The readers that have ended; one that starts again sends its own requests.
    private let ended = Mutex<Set<String>>([])

    /// - Parameter streams: The streams that this run reads for their records.
    init(_ manifest: Manifest, reading streams: Set<String>, _ room: AnswerRoom) {
        self.room = room
        var readers: [String: Set<String>] = [:]
        for stream in streams {
            for source in Self.sources(of: stream, manifest) { readers[source, default: []].insert(stream) }
        }
        self.readers = readers.filter { $0.value.count > 1 }
    }

    /// A stream and the parents it depends on. The manifest was checked for cycles.
    private static func sources(of stream: String, _ manifest: Manifest) -> Set<String> {
        let parents = manifest.stream(stream)?.parent?.streams ?? []
        return parents.reduce(into: [stream]) { $0.formUnion(sources(of: $1, manifest)) }
    }

    /// Whether nothing is shared in this run.
    var isIdle: Bool { readers.isEmpty }

    /// How many are asking for something at the moment, for tests.
    var askers: Int { entries.withLock { $0.values.reduce(0) { $0 + $1.state.withLock(\.users) } } }

    /// An answer, and whether another reader requested it.
    struct Finding {
        var answer: Answer
        var isShared: Bool
    }

    /// The answer to a request: another reader's, or the one that `send` gets. An error that `send` throws goes to all who wait.
    ///
    /// - Parameters:
    ///   - stream: The stream whose page is requested.
    ///   - reader: The stream that is read.
    func answer(
        to request: PreparedRequest,
        of stream: String,
        for reader: String,
        _ send: () async throws -> Answer
    ) async throws -> Finding {
        // An answer decoded block by block is used up once read.
        guard let all = readers[stream], all.contains(reader), request.decoding == nil else {
            return Finding(answer: try await send(), isShared: false)
        }
        let question = Question(request, of: stream)
        let entry = enter(question)
        defer { leave(question, entry) }
        return try await entry.line.pass {
            if let answer = take(entry, for: reader) { return Finding(answer: answer, isShared: true) }
            // Otherwise each would retry as often and wait as long.
            if let failure = entry.state.withLock(\.failure) { throw failure }
            do {
                let answer = try await send()
                keep(answer, request, in: entry, for: all.subtracting([reader]))
                return Finding(answer: answer, isShared: false)
            } catch let error as PlugError where error.code != .interrupted {
                entry.state.withLock { if $0.users > 1 { $0.failure = error } }
                throw error
            }
        }
    }

    /// Ends a reader: what was kept for it alone is released.
    func end(_ reader: String) {
        guard readers.values.contains(where: { $0.contains(reader) }) else { return }
        _ = ended.withLock { $0.insert(reader) }
        entries.withLock { entries in
            for (question, entry) in entries where readers[question.stream]?.contains(reader) == true {
                let isOver = entry.state.withLock { state in
                    state.kept?.waiting.remove(reader)
                    drop(&state)
                    return state.kept == nil && state.users == 0
                }
                if isOver { entries[question] = nil }
            }
        }
    }

    private func enter(_ question: Question) -> Entry {
        entries.withLock { entries in
            let entry = entries[question] ?? Entry(room)
            entries[question] = entry
            entry.state.withLock { $0.users += 1 }
            return entry
        }
    }

    private func leave(_ question: Question, _ entry: Entry) {
        entries.withLock { entries in
            let isOver = entry.state.withLock { state in
                state.users -= 1
                drop(&state)
                if state.users == 0 { state.failure = nil }
                return state.kept == nil && state.users == 0
            }
            if isOver, entries[question] === entry { entries[question] = nil }
        }
    }

    /// Drops an answer that all have had.
    private func drop(_ state: inout Entry.State) {
        guard let kept = state.kept, kept.waiting.isEmpty else { return }
        room.give(back: kept.size)
        state.kept = nil
    }

    /// The kept answer, without its cost: that was counted for the one who sent the request.
    private func take(_ entry: Entry, for reader: String) -> Answer? {
        entry.state.withLock { state in
            guard state.kept?.waiting.remove(reader) != nil, var answer = state.kept?.answer else { return nil }
            answer.weight = answer.cost.bytes
            (answer.cost.requests, answer.cost.bytes) = (0, 0)
            return answer
        }
    }

    private func keep(_ answer: Answer, _ request: PreparedRequest, in entry: Entry, for others: Set<String>) {
        // A second answer to the same question is for one that looks again; the others have the first.
        let others = others.subtracting(ended.withLock { $0 })
        guard !others.isEmpty, answer.content.isShareable, entry.state.withLock({ $0.kept == nil }),
            let size = room.take(for: answer, to: request)
        else { return }
        entry.state.withLock { $0.kept = (answer, size, others) }
    }
}

extension Answer.Content {
    /// Whether it can be given to several.
    fileprivate var isShareable: Bool {
        switch self {
        case .page, .empty, .skipped, .gone: true
        case .whole, .decoded, .unchanged: false
        }
    }
}
