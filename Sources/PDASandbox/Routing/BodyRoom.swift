internal import PDAWire
internal import Synchronization

/// How much the bodies of all requests in progress may take together: the limit for one must not be multiplied by many.
final class BodyRoom: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// A request's share of it, initially empty.
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

    /// Takes room for more bytes; `false` if there is none.
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

    /// Whether the rest of the body will not be read, so that the connection has to end.
    var isCutShort: Bool { state.withLock { $0.isCutShort } }
    func cutShort() { state.withLock { $0.isCutShort = true } }
}

/// Who sends a body, which decides how much of it is kept.
enum BodySender: Sendable {
    /// Anyone, on a route without a token.
    case anybody
    /// A caller without a valid token, on a route that needs one. A small body is still judged first, as in the reference server.
    case stranger
    /// A known caller.
    case caller

    /// How many bytes are kept.
    var limit: Int { self == .caller ? PDALimit.bodyBytes : 64 << 10 }

    /// How many further bytes are read and discarded, so that a client that sends them by mistake gets to see the answer.
    var patience: Int { self == .caller ? 16 << 20 : 1 << 20 }

    /// The answer to a body beyond the limit.
    var refusal: any Error { self == .stranger ? Refusal.notAuthenticated : HTMLError.tooLarge(limit) }
}

/// The bodies of requests in progress take up all the room.
struct BodiesFull: Error {
    let answer: Answer = {
        let cause = "Too many request bodies are under way: try again"
        var answer = Refusal.framework(503, "Service Unavailable", cause).answer(prefersHTML: false)
        answer.headers.append(("Retry-After", "1"))
        return answer
    }()
}
