internal import PlugCore
internal import PlugDeliver
internal import PlugFetch
internal import PlugRuntime
internal import Synchronization

/// The output during a run: warnings, the records of a dry run, and on a terminal a progress line.
final class RunTalk: Sendable {
    private struct State {
        var isShown = false
        var shownAt: ContinuousClock.Instant?
    }

    private static let interval = Duration.milliseconds(100)
    private let context: CommandContext
    private let printsRecords: Bool
    private let showsWaits: Bool
    private let tellsWarnings: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - showsWaits: Whether every wait is reported, however short.
    ///   - tellsWarnings: Whether warnings are printed as they occur; `false` for a command whose answer has them.
    init(_ context: CommandContext, printsRecords: Bool, showsWaits: Bool = false, tellsWarnings: Bool = true) {
        self.tellsWarnings = tellsWarnings
        self.context = context
        self.printsRecords = printsRecords
        self.showsWaits = showsWaits
    }

    /// Writes lines that are safe to display.
    func write(_ lines: String) {
        state.withLock { state in
            clear(&state)
            context.errors.write(lines)
        }
    }

    /// Handles an event, from any thread.
    func note(_ event: RunEvent) {
        switch event {
        case .warning(let code, let message): warn(code, message)
        case .fetch(let event):
            switch event.kind {
            case .warning(let code, let message): warn(code, event.place.map { "\($0): \(message)" } ?? message)
            case .waiting(let reason, let until):
                let length = Duration.microseconds(max(0, until - context.clock.now()))
                wait(length, "\(event.stream): waiting", "for the source (\(reason.rawValue))")
            case .answered, .unanswered: break
            }
        case .delivery(.waiting(let duration, let code)):
            wait(duration, "waiting", "for the PDA (\(code))")
        case .delivery, .prepared, .tried, .columns: break
        case .stream(let name): show("\(name): reading")
        case .counts(let stream, let counts): show("\(stream): \(RunSummary.line(counts))", isFrequent: true)
        case .record(_, let path, let bytes):
            guard printsRecords else { return }
            context.output.write(Array(#"{"data":"#.utf8) + bytes + Array(",\"endpoint\":\"\(path)\"}\n".utf8))
        }
    }

    /// Handles an event of one of many connections: only what needs attention is reported.
    func note(_ event: RunEvent, of connection: String) {
        switch event {
        case .warning(let code, let message): warn(code, ManyRunsReport.named(connection, message))
        case .fetch(let event):
            guard case .warning(let code, let message) = event.kind else { return }
            let place = ["connection '\(connection)'", event.place].compactMap(\.self).joined(separator: ", ")
            warn(code, "\(place): \(message)")
        default: break
        }
    }

    /// Shows how many of many connections have ended.
    func show(ended: Int, of count: Int) { show("\(ended) of \(count) connections", isFrequent: true) }

    /// Clears the progress line.
    func end() { state.withLock { clear(&$0) } }

    private func warn(_ code: PlugError.Code, _ message: String) {
        guard tellsWarnings else { return }
        state.withLock { state in
            clear(&state)
            context.errors.write(DisplayText.escaped("warning: [\(code)] \(message)") + "\n")
        }
    }

    /// A terminal shows every second of waiting, a log only waits long enough to seem odd.
    private func wait(_ length: Duration, _ start: String, _ end: String) {
        let seconds = length.components.seconds
        let text = "\(start) \(seconds) s \(end)"
        if showsWaits {
            write(DisplayText.escaped("\(start) \(RunSummary.seconds(length / .seconds(1))) \(end)") + "\n")
        } else if context.errorsAreTerminal, seconds > 0 {
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
            // A line that wraps could not be cleared: 79 columns fit everywhere.
            context.errors.write("\r\u{1B}[K" + DisplayText.escaped(String(text.prefix(79))))
        }
    }

    private func clear(_ state: inout State) {
        guard state.isShown else { return }
        context.errors.write("\r\u{1B}[K")
        state.isShown = false
    }
}
