internal import PDAClient
internal import PlugCore

/// What a call's failure means to whoever typed the command.
enum PDAErrorText {
    /// Does some work; a failed call comes out as an error with a status of ours.
    static func translating<Result>(
        _ work: () async throws(PDAError) -> Result
    ) async throws(PlugError) -> Result {
        do throws(PDAError) { return try await work() } catch { throw plugError(error) }
    }

    /// The error with a status of ours.
    static func plugError(_ error: PDAError) -> PlugError {
        let said = error.failure.map { " (\($0.title): \($0.cause))" } ?? ""
        let place = error.message.contains(error.failure?.cause ?? "\u{0}") ? "" : said
        var advice = error.advice
        if error.mayHaveArrived { advice = (advice.map { "\($0); " } ?? "") + "it may have been done: check first" }
        let text = DisplayText.escaped(error.message + place)
        switch error.code {
        case .invalidRequest: return PlugError("pda-call", exit: .usage, text, advice: advice)
        case .cancelled: return .interrupted
        case .transport: return PlugError("pda-unreachable", exit: .unreachable, text, advice: advice)
        case .notAuthenticated, .invalidToken, .notLoggedIn:
            return PlugError("pda-token", exit: .authorisation, text, advice: advice)
        case .forbidden: return PlugError("pda-forbidden", exit: .authorisation, text, advice: advice)
        case .notFound: return PlugError("pda-not-found", exit: .failed, text, advice: advice)
        case .unavailable: return PlugError("pda-unavailable", exit: .tryLater, text, advice: advice)
        case .duplicate: return PlugError("pda-duplicate", exit: .data, text, advice: advice)
        case .tooLarge, .refused: return PlugError("pda-refused", exit: .data, text, advice: advice)
        case .tooManyRequests: return PlugError("pda-busy", exit: .tryLater, text, advice: advice)
        case .server: return PlugError("pda-failing", exit: .tryLater, text, advice: advice)
        default: return PlugError("pda-answer", exit: .unreachable, text, advice: advice)
        }
    }
}
