internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import Throttling

/// Sends one batch until there is a usable answer. Its options set the number of attempts; the loop is in Throttling.
final class BatchSender {
    /// A usable answer.
    enum Outcome {
        case stored(JSONBuffer)
        case refused(AppendAnswer.Refusal)
        case tooLarge
        /// There was no usable answer, and the content may be why: another request will show.
        case unanswered(PlugError, isOutage: Bool)
        /// Nothing more is sent. In an outage the PDA may accept the same bytes later.
        case stopped(PlugError, isOutage: Bool = false)
    }

    /// The request's body, which the sender writes first.
    var body: [UInt8] = []
    /// Whether an answer to this body was lost, so that it may have been stored; set by `send`.
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

    /// Writes the body, reusing the previous one's storage.
    func write(_ fill: (inout [UInt8]) -> Void) {
        body.removeAll(keepingCapacity: true)
        fill(&body)
    }

    /// Posts `body`, repeating the same bytes while there is no usable answer.
    ///
    /// - Parameters:
    ///   - tries: The maximum number of attempts.
    ///   - isTrial: Whether a failure says nothing new about the PDA because the content is under test.
    func send(records: Int, skipErrors: Bool, tries: Int, isTrial: Bool) async -> Outcome {
        lostAnswer = false
        do {
            let outcome = try await sender(tries).send { attempt in
                let answer = await pda.append(
                    body,
                    records: records,
                    to: path,
                    skipErrors: skipErrors,
                    isRetry: attempt.isRetry,
                    isTrial: isTrial
                )
                note(answer)
                return Self.verdict(answer, after: attempt.last)
            } waiting: { wait in
                observer(.waiting(wait.length, code: wait.failure.error.code))
            }
            switch outcome {
            case .done(let outcome): return outcome
            case .exhausted(let last):
                return last.mayBeContent
                    ? .unanswered(last.error, isOutage: true) : .stopped(last.error, isOutage: true)
            case .tooLong(let wait, _): return .stopped(tooLong(wait), isOutage: true)
            }
        } catch {
            return .stopped(interrupted)
        }
    }

    private func sender(_ tries: Int) -> RetryingSender {
        let patience = RetryPolicy.Patience.total(
            options.maximumWait,
            times: options.maximumWaits,
            least: .seconds(1)
        )
        return RetryingSender(
            RetryPolicy(tries: tries, backoff: options.backoff, patience: patience),
            clock: clock
        )
    }

    private static func verdict(_ answer: AppendAnswer, after last: FailedTry?) -> RetryingSender.Verdict<Outcome> {
        switch answer.verdict {
        case .stored(let echo): return .done(.stored(echo))
        case .refused(let refusal): return .done(.refused(refusal))
        case .tooLarge: return .done(.tooLarge)
        case .again(let error), .later(let error):
            var isLimit = false
            if case .later = answer.verdict { isLimit = true }
            return .again(
                FailedTry(error, isLimit: isLimit, asked: answer.retryAfter, mayBeContent: answer.mayBeContent)
            )
        case .stop(var error):
            // Nothing was sent, and the host is what fails: the batch may wait for it.
            let isSpared = AnswerClassifier.sparingCodes.contains(error.code)
            if isSpared, let last {
                error = last.error(because: error.message)
                // The circuit let one request try the host, and its content may have been at fault.
                if last.mayBeContent { return .done(.unanswered(error, isOutage: true)) }
            }
            return .done(
                answer.mayBeContent ? .unanswered(error, isOutage: false) : .stopped(error, isOutage: isSpared)
            )
        }
    }

    /// Waits between two attempts at something that `send` treated as an answer.
    ///
    /// - Returns: Whether there is time left; false after cancellation.
    func pause(after failures: Int, code: PlugError.Code) async -> Bool {
        let pause: Void? = try? await sender(options.tries).backOff(after: failures) { wait in
            observer(.waiting(wait, code: code))
        }
        return pause != nil
    }

    private func note(_ answer: AppendAnswer) {
        if answer.mayHaveStored { lostAnswer = true }
        requests += 1
        bytesOut += answer.bytesOut
        bytesIn += answer.bytesIn
        observer(.request(bytesOut: answer.bytesOut, bytesIn: answer.bytesIn))
    }

    /// Reports to the observer that records are known to be stored.
    func announce(proved count: Int) { if count > 0 { observer(.proved(count)) } }

    private func tooLong(_ pause: Duration) -> PlugError {
        let until = clock.now() + pause.wholeMicroseconds
        let moment = Timestamp(seconds: until / 1_000_000).rfc3339
        return PlugError(
            .pdaWait,
            "the PDA asks plughost to send no requests before \(moment)",
            advice: "run again then; nothing is lost"
        ).retrying(at: until)
    }

    /// The error of a run that was interrupted.
    var interrupted: PlugError {
        PlugError(.interrupted, "interrupted while delivering to \(path)")
    }

    /// The error for acknowledgements of something other than what was sent.
    var unusable: PlugError {
        AnswerClassifier(place: "POST \(pda.origin)\(PDARoute.data(path))", now: 0).unexpected(201, false)
    }
}
