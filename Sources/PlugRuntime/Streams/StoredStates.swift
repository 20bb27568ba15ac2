internal import LosslessJSON
internal import PlugCore
internal import PlugStorage
internal import Synchronization

/// A stream's states as its fetcher sees them.
struct StoredStates: StreamStates {
    let store: any PassStore
    let stream: StreamID
    /// The state of the part `""`, read already.
    var whole: StreamState?
    /// Is notified of the parts that are requested: the source still lists them.
    let met: MetParts

    func state(of part: String) async throws -> StreamState? {
        if part.isEmpty { return whole }
        met.note(part)
        return try await store.state(of: stream, part: part)
    }

    /// The bound to show to a person; `nil` if the fetcher keeps none.
    static func cursor(_ state: StreamState?) -> String? {
        guard let state, var watermark = (try? JSONValue(parsing: state.bytes))?["watermark"], !watermark.isNull else {
            return nil
        }
        // With 'only: changed' it also records what it was proved for.
        if watermark["of"] != nil, let value = watermark["at"] { watermark = value }
        // The state of a fetcher in Swift may be long.
        return String((watermark.stringText ?? watermark.compactText).prefix(200))
    }
}

/// The parts that were requested since the last commit.
final class MetParts: Sendable {
    private let parts = Mutex<[String]>([])

    func note(_ part: String) { parts.withLock { $0.append(part) } }

    /// Hands them over.
    func take() -> [String] {
        parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
    }
}
