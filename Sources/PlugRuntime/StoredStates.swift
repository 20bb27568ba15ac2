internal import LosslessJSON
internal import PlugCore
internal import PlugStore

/// A stream's states as its fetcher sees them.
struct StoredStates: StreamStates {
    let store: any PlugStore
    let stream: StreamID
    /// The state of the part `""`, read already.
    let whole: StreamState?

    func state(of part: String) async throws -> StreamState? {
        part.isEmpty ? whole : try await store.state(of: stream, part: part)
    }

    /// The bound that a person would want to see; `nil` where the fetcher keeps none.
    static func cursor(_ state: StreamState?) -> String? {
        guard let state, let watermark = (try? JSONValue(parsing: state.bytes))?["watermark"], !watermark.isNull else {
            return nil
        }
        return watermark.stringText ?? watermark.compactText
    }
}

/// No states: what a dry run begins from.
struct NoStates: StreamStates {
    func state(of part: String) async throws -> StreamState? { nil }
}
