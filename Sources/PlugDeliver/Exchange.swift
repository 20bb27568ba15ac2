internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// Sends one batch until there is an answer to work with: tries, back-off, `Retry-After`.
final class Exchange {
    /// An answer to work with.
    enum Outcome {
        case stored(JSONBuffer)
        case refused(AppendAnswer.Refusal)
        case tooLarge
        /// There was no answer to work with, and it may be the content's fault: another request tells.
        case unanswered(PlugError, isOutage: Bool)
        /// Nothing more is sent. In an outage the PDA may take the same bytes later.
        case stopped(PlugError, isOutage: Bool = false)
    }

    /// The request's body. Whoever sends writes it first.
    var body: [UInt8] = []
    /// Whether an answer to this body was lost, so that it may be stored; set by `send`.
    private(set) var lostAnswer = false
    private(set) var requests = 0
    private(set) var bytesOut = 0
    private(set) var bytesIn = 0
    let path: DataPath

    private let pda: AppendOnlyPDA
    private let clock: any HostClock
    private let options: DeliveryOptions
    private let observer: @Sendable (DeliveryEvent) -> Void

    init(
        pda: AppendOnlyPDA,
        path: DataPath,
        clock: any HostClock,
        options: DeliveryOptions,
        observer: @escaping @Sendable (DeliveryEvent) -> Void
    ) {
        self.pda = pda
        self.path = path
        self.clock = clock
        self.options = options
        self.observer = observer
    }

    /// Writes the body, into the room of the one before.
    func write(_ fill: (inout [UInt8]) -> Void) {
        body.removeAll(keepingCapacity: true)
        fill(&body)
    }

    /// Posts `body`, the same bytes again while the answer is none to work with.
    ///
    /// - Parameters:
    ///   - tries: How often at the most.
    ///   - isTrial: Whether a failure says nothing new of the PDA, because it is the content that is looked at.
    func send(records: Int, skipErrors: Bool, tries: Int, isTrial: Bool) async -> Outcome {
        lostAnswer = false
        var failures = 0
        var waits = 0
        var waited = Duration.zero
        var last: (error: PlugError, wasAsked: Bool, mayBeContent: Bool)?
        while true {
            if Task.isCancelled { return .stopped(interrupted) }
            let isRetry = last.map { !$0.wasAsked } ?? false
            let answer = await pda.append(
                body,
                records: records,
                to: path,
                skipErrors: skipErrors,
                isRetry: isRetry,
                isTrial: isTrial
            )
            note(answer)
            switch answer.verdict {
            case .stored(let echo): return .stored(echo)
            case .refused(let refusal): return .refused(refusal)
            case .tooLarge: return .tooLarge
            case .stop(var error):
                // Nothing was sent, and what fails is the host: the batch may wait for it.
                let isSpared = AnswerClassifier.sparingCodes.contains(error.code)
                if isSpared, let fault = last?.error {
                    // What the last try came to says more than that there will be no other one.
                    let reason = error.message
                    error = fault
                    error.message += "; \(reason)"
                    // The circuit let one request try the host, and what it held may have been at fault.
                    if last?.mayBeContent == true { return .unanswered(error, isOutage: true) }
                }
                return answer.mayBeContent
                    ? .unanswered(error, isOutage: false) : .stopped(error, isOutage: isSpared)
            case .again(let error), .later(let error):
                if case .later = answer.verdict, answer.retryAfter != nil { waits += 1 } else { failures += 1 }
                last = (error, answer.retryAfter != nil, answer.mayBeContent)
                guard failures < max(1, tries), waits <= options.maximumWaits else {
                    return answer.mayBeContent ? .unanswered(error, isOutage: true) : .stopped(error, isOutage: true)
                }
                let pause = pause(failures, answer)
                if answer.retryAfter != nil {
                    waited += pause
                    guard waited <= options.maximumWait else { return .stopped(tooLong(pause, error), isOutage: true) }
                }
                observer(.waiting(pause, code: error.code))
                do { try await clock.sleep(for: pause) } catch { return .stopped(interrupted) }
            }
        }
    }

    /// Waits between two tries of something that `send` took for an answer.
    ///
    /// - Returns: Whether there is time left; cancellation says no.
    func pause(after failures: Int, code: PlugError.Code) async -> Bool {
        let pause = options.backoff.wait(after: failures, random: clock.random())
        observer(.waiting(pause, code: code))
        do { try await clock.sleep(for: pause) } catch { return false }
        return true
    }

    /// What `Retry-After` asks for, else what back-off says. A PDA that asks for less than a second gets one, so that a `0`
    /// is no invitation to a storm.
    private func pause(_ failures: Int, _ answer: AppendAnswer) -> Duration {
        guard let asked = answer.retryAfter else {
            return options.backoff.wait(after: failures, random: clock.random())
        }
        return max(asked, .seconds(1))
    }

    private func note(_ answer: AppendAnswer) {
        if answer.mayHaveStored { lostAnswer = true }
        requests += 1
        bytesOut += answer.bytesOut
        bytesIn += answer.bytesIn
        observer(.request(bytesOut: answer.bytesOut, bytesIn: answer.bytesIn))
    }

    /// Tells whoever shows progress that records are known to be stored.
    func announce(proved count: Int) { if count > 0 { observer(.proved(count)) } }

    private func tooLong(_ pause: Duration, _ error: PlugError) -> PlugError {
        let until = clock.now() + Int64(pause / .microseconds(1))
        let moment = Timestamp(seconds: until / 1_000_000).rfc3339
        return PlugError(
            .pdaWait,
            "the PDA asks for no requests before \(moment)",
            advice: "run again then; nothing is lost"
        )
    }

    /// The error of a run that was interrupted.
    var interrupted: PlugError {
        PlugError(.interrupted, "interrupted while delivering to \(path)")
    }

    /// The error for acknowledgements that acknowledge something else.
    var unusable: PlugError {
        AnswerClassifier(place: "POST \(pda.origin)\(PDARoute.data(path))", now: 0).unexpected(201, false)
    }
}
