internal import PlugCore
internal import PlugDeliver
internal import PlugFetch
internal import PlugRuntime
internal import Synchronization

/// What is said while a run goes on: warnings, the records of a dry run, and on a terminal a line of progress.
final class RunTalk: Sendable {
    private struct State {
        var isShown = false
        var shownAt: ContinuousClock.Instant?
    }

    private static let interval = Duration.milliseconds(100)
    private let context: CommandContext
    private let printsRecords: Bool
    private let state = Mutex(State())

    init(_ context: CommandContext, printsRecords: Bool) {
        self.context = context
        self.printsRecords = printsRecords
    }

    /// Takes an event, from any thread.
    func note(_ event: RunEvent) {
        switch event {
        case .warning(let code, let message): warn(code, message)
        case .fetch(let event):
            switch event.kind {
            case .warning(let code, let message): warn(code, "stream '\(event.stream)': \(message)")
            case .waiting(let reason, let until):
                let seconds = max(0, until - context.clock.now()) / 1_000_000
                wait(seconds, "\(event.stream): waiting \(seconds) s for the source (\(reason.rawValue))")
            case .answered, .unanswered: break
            }
        case .delivery(.waiting(let duration, let code)):
            let seconds = duration.components.seconds
            wait(seconds, "waiting \(seconds) s for the PDA (\(code))")
        case .delivery: break
        case .stream(let name): show("\(name): reading")
        case .counts(let stream, let counts): show("\(stream): \(RunSummary.line(counts))", isFrequent: true)
        case .record(_, let path, let bytes):
            guard printsRecords else { return }
            context.output.write(Array(#"{"data":"#.utf8) + bytes + Array(",\"endpoint\":\"\(path)\"}\n".utf8))
        }
    }

    /// Takes an event of one of many connections: only what somebody should look at is told.
    func note(_ event: RunEvent, of connection: String) {
        switch event {
        case .warning(let code, let message): warn(code, ManyRunsReport.named(connection, message))
        case .fetch(let event):
            guard case .warning(let code, let message) = event.kind else { return }
            warn(code, "connection '\(connection)', stream '\(event.stream)': \(message)")
        default: break
        }
    }

    /// Shows how many of many connections have ended.
    func show(ended: Int, of count: Int) { show("\(ended) of \(count) connections", isFrequent: true) }

    /// Takes the line of progress away.
    func end() { state.withLock { clear(&$0) } }

    private func warn(_ code: PlugError.Code, _ message: String) {
        state.withLock { state in
            clear(&state)
            context.errors.write(DisplayText.escaped("warning: [\(code)] \(message)") + "\n")
        }
    }

    /// A terminal shows every second of waiting, a log what is long enough to be wondered about.
    private func wait(_ seconds: Int64, _ text: String) {
        if context.errorsAreTerminal, seconds > 0 {
            show(text)
        } else if seconds >= 5 {
            context.errors.write(DisplayText.escaped(text) + "\n")
        }
    }

    private func show(_ text: String, isFrequent: Bool = false) {
        guard context.errorsAreTerminal else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            if isFrequent, let last = state.shownAt, now - last < Self.interval { return }
            state.shownAt = now
            state.isShown = true
            // A line that wraps could not be taken back: 79 columns fit everywhere.
            context.errors.write("\r\u{1B}[K" + DisplayText.escaped(String(text.prefix(79))))
        }
    }

    private func clear(_ state: inout State) {
        guard state.isShown else { return }
        context.errors.write("\r\u{1B}[K")
        state.isShown = false
    }
}
