import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import Throttling

/// Answers that several streams of a run are read from: a parent's pages hold its own records and lead to those of its children.
/// Who asks first sends the request; the others take its answer, so that a parent is read once.
///
/// An answer is kept until all have had it, and only while there is room for it: without, it is asked for again. Nobody is
/// given the same answer twice: who asks again wants to know what has changed.
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

    /// What is known of a question.
    private final class Entry: Sendable {
        /// Who asks waits here for the one who sends.
        let line = AsyncSemaphore(width: 1)
        let kept = Mutex<(answer: Answer, size: Int, waiting: Set<String>)?>(nil)
    }

    private let readers: [String: Set<String>]
    private let room: AnswerRoom
    private let entries = Mutex<[Question: Entry]>([:])

    /// - Parameter streams: The streams that this run reads for their records.
    init(_ manifest: Manifest, reading streams: Set<String>, _ room: AnswerRoom) {
        self.room = room
        var readers: [String: Set<String>] = [:]
        for stream in streams {
            for source in Self.sources(of: stream, manifest) { readers[source, default: []].insert(stream) }
        }
        self.readers = readers.filter { $0.value.count > 1 }
    }

    /// A stream and those that it is read for. The manifest was checked for circles.
    private static func sources(of stream: String, _ manifest: Manifest) -> Set<String> {
        let parents = manifest.stream(stream)?.parent?.streams ?? []
        return parents.reduce(into: [stream]) { $0.formUnion(sources(of: $1, manifest)) }
    }

    /// Whether nothing is shared in this run.
    var isIdle: Bool { readers.isEmpty }

    /// The answer to a request: another reader's, or the one that `send` gets.
    ///
    /// - Parameters:
    ///   - stream: The stream whose page is asked for.
    ///   - reader: The stream that is read.
    func answer(
        to request: PreparedRequest,
        of stream: String,
        for reader: String,
        _ send: () async throws -> Answer
    ) async throws -> Answer {
        // What is decoded block by block is over when it was read.
        guard let all = readers[stream], all.contains(reader), request.decoding == nil else { return try await send() }
        let question = Question(request, of: stream)
        let entry = entries.withLock { entries in
            if let entry = entries[question] { return entry }
            let entry = Entry()
            entries[question] = entry
            return entry
        }
        return try await entry.line.pass {
            if let answer = take(entry, for: reader) {
                forget(question, entry)
                return answer
            }
            defer { forget(question, entry) }
            let answer = try await send()
            keep(answer, in: entry, for: all.subtracting([reader]))
            return answer
        }
    }

    /// The kept answer, without what it cost: that was counted for the one who sent the request.
    private func take(_ entry: Entry, for reader: String) -> Answer? {
        entry.kept.withLock { kept in
            guard kept?.waiting.remove(reader) != nil, var answer = kept?.answer else { return nil }
            answer.weight = answer.cost.bytes
            (answer.cost.requests, answer.cost.bytes) = (0, 0)
            return answer
        }
    }

    private func keep(_ answer: Answer, in entry: Entry, for others: Set<String>) {
        // A second answer to the same question is for one who looks again; the others have the first.
        guard answer.content.isShareable, entry.kept.withLock({ $0 == nil }),
            let size = room.take(forBody: answer.cost.bytes)
        else { return }
        entry.kept.withLock { $0 = (answer, size, others) }
    }

    /// Forgets an answer that all have had, and a question without one.
    private func forget(_ question: Question, _ entry: Entry) {
        let isOver = entry.kept.withLock { kept in
            guard let (_, size, waiting) = kept else { return true }
            guard waiting.isEmpty else { return false }
            room.give(back: size)
            kept = nil
            return true
        }
        guard isOver, entry.line.waitingCount == 0 else { return }
        entries.withLock { if $0[question] === entry { $0[question] = nil } }
    }

    deinit {
        for entry in entries.withLock({ $0.values }) {
            if let kept = entry.kept.withLock({ $0 }) { room.give(back: kept.size) }
        }
    }
}

extension Answer.Content {
    /// Whether it can be given to several.
    fileprivate var isShareable: Bool {
        switch self {
        case .page, .empty, .gone: true
        case .decoded, .unchanged: false
        }
    }
}
