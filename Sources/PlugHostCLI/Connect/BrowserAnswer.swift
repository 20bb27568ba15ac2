internal import OAuth
internal import PlugCore
internal import Synchronization

/// Waits for the browser of one consent to return.
struct BrowserAnswer<Pending: AnsweredConsent>: Sendable {
    private let state: State
    /// The service's name, for messages.
    private let host: String
    private let hidden: HiddenTexts
    private let clock: any HostClock

    /// What concurrent requests share.
    private final class State: Sendable {
        let pending: Mutex<Pending>
        init(_ pending: Pending) { self.pending = Mutex(pending) }
    }

    /// The result, once there is one.
    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    init(_ pending: Pending, of host: String, hiding hidden: HiddenTexts, clock: any HostClock) {
        state = State(pending)
        (self.host, self.hidden) = (host, hidden)
        self.clock = clock
    }

    /// Waits until an answer has ended the consent, and has been shown to the person.
    ///
    /// - Parameter finish: Turns the browser's answer into a result and a text for the person.
    /// - Throws: `PlugError`, `CancellationError`, and the errors of `finish`.
    func wait<Value: Sendable>(
        at listener: CallbackListener,
        finish: @escaping @Sendable (Pending.Proof) async throws -> (result: Value, words: String)
    ) async throws -> Value {
        let outcome = Outcome<Value>()
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await listener.serve { query in await reply(to: query, outcome, finish) }
            }
            group.addTask {
                try await clock.timeout(after: PendingConsent.lifetime)
                // Requests that have arrived by then are still answered.
                if state.pending.withLock({ $0.isOpen }) {
                    throw ConsentFailure(.unanswered).plugError(from: host)
                }
                while true { try await clock.timeout(after: PendingConsent.lifetime) }
            }
            _ = try await group.next()
            group.cancelAll()
        }
        guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    private func reply<Value: Sendable>(
        to query: String,
        _ outcome: Outcome<Value>,
        _ finish: @Sendable (Pending.Proof) async throws -> (result: Value, words: String)
    ) async -> CallbackListener.Reply {
        let proof: Pending.Proof
        do throws(ConsentFailure) {
            proof = try state.pending.withLock { pending throws(ConsentFailure) in
                try pending.answer(query, now: clock.now(), hiding: hidden)
            }
        } catch {
            // Unrelated or repeated requests end nothing: anyone on this machine can send them.
            let endsIt = error.kind != .foreign && error.kind != .used
            if endsIt { outcome.result.withLock { $0 = .failure(error.plugError(from: host)) } }
            let page = CallbackPage(status: 400, title: "Not connected", text: Self.sentence(error.message))
            return CallbackListener.Reply(page: page, isLast: endsIt)
        }
        do {
            let (result, words) = try await finish(proof)
            outcome.result.withLock { $0 = .success(result) }
            let page = CallbackPage(status: 200, title: "Connected", text: words)
            return CallbackListener.Reply(page: page, isLast: true)
        } catch {
            outcome.result.withLock { $0 = .failure(error) }
            let message = (error as? PlugError)?.message ?? "plughost was interrupted"
            let page = CallbackPage(status: 400, title: "Not connected", text: Self.sentence(message))
            return CallbackListener.Reply(page: page, isLast: true)
        }
    }

    private static func sentence(_ message: String) -> String {
        DisplayText.escaped("\(message.prefix(1).uppercased())\(message.dropFirst()). The terminal says what to do.")
    }
}
