internal import PDAWire
internal import Synchronization

/// How much the bodies of all requests under way may take together: what one may send, a hundred may not send at once.
final class BodyRoom: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// A request's part of it, empty at first.
    func share() -> BodyShare { BodyShare(self) }

    fileprivate func take(_ bytes: Int) -> Bool {
        taken.withLock { taken in
            guard taken + bytes <= limit else { return false }
            taken += bytes
            return true
        }
    }

    fileprivate func give(_ bytes: Int) { taken.withLock { $0 -= bytes } }
}

/// What one request's body takes of the room, given back with the last copy of the request.
final class BodyShare: Sendable {
    private struct State {
        var bytes = 0
        var isCutShort = false
    }

    private let room: BodyRoom
    private let state = Mutex(State())

    fileprivate init(_ room: BodyRoom) { self.room = room }

    deinit { room.give(state.withLock { $0.bytes }) }

    /// Takes room for so many bytes more; `false` if there is none.
    func take(_ bytes: Int) -> Bool {
        guard room.take(bytes) else { return false }
        state.withLock { $0.bytes += bytes }
        return true
    }

    /// Gives back everything, as the bytes are not kept.
    func empty() {
        let bytes = state.withLock { state in
            defer { state.bytes = 0 }
            return state.bytes
        }
        room.give(bytes)
    }

    /// Whether the rest of the body is read no more, so that the connection has to end.
    var isCutShort: Bool { state.withLock { $0.isCutShort } }
    func cutShort() { state.withLock { $0.isCutShort = true } }
}

/// Who sends a body, which decides how much of it is kept.
enum BodySender: Sendable {
    /// Anybody, on a route without a token.
    case anybody
    /// Somebody without a valid token, on a route that needs one. A small body is judged first all the same, as the reference
    /// server does.
    case stranger
    /// Somebody who is known.
    case caller

    /// How many bytes are kept.
    var limit: Int { self == .caller ? PDALimit.bodyBytes : 64 << 10 }

    /// How many bytes more are read and thrown away, so that a client that sends them by mistake gets to see the answer.
    var patience: Int { self == .caller ? 16 << 20 : 1 << 20 }

    /// What a body beyond the limit is answered with.
    var refusal: any Error { self == .stranger ? Refusal.notAuthenticated : HTMLError.tooLarge(limit) }
}

/// The bodies of requests under way take all the room there is.
struct BodiesFull: Error {
    let answer: Answer = {
        let cause = "Too many request bodies are under way: try again"
        var answer = Refusal.framework(503, "Service Unavailable", cause).answer(prefersHTML: false)
        answer.headers.append(("Retry-After", "1"))
        return answer
    }()
}
