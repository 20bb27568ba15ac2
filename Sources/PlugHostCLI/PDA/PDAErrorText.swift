internal import PDAClient
internal import PlugCore
internal import PlugDeliver

/// The meaning of a failed call for the user of the command.
enum PDAErrorText {
    /// Does some work; a failed call is converted to an error with a status of ours.
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
        case .invalidRequest: return PlugError(.pdaCall, text, advice: advice)
        case .cancelled: return .interrupted
        case .transport: return PlugError(.pdaUnreachable, text, advice: advice)
        case .notAuthenticated, .invalidToken, .notLoggedIn:
            return PlugError(.pdaToken, text, advice: advice)
        case .forbidden: return PlugError(.pdaForbidden, text, advice: advice)
        case .notFound: return PlugError(.pdaNotFound, text, advice: advice)
        case .unavailable: return PlugError(.pdaUnavailable, text, advice: advice)
        case .duplicate: return PlugError(.pdaDuplicate, text, advice: advice)
        case .tooLarge, .refused: return PlugError(.pdaRefused, text, advice: advice)
        case .tooManyRequests: return PlugError(.pdaBusy, text, advice: advice)
        case .server: return PlugError(.pdaFailing, text, advice: advice)
        default: return PlugError(.pdaAnswer, text, advice: advice)
        }
    }
}
