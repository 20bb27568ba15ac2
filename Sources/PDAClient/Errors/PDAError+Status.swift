internal import PDAWire

extension PDAError {
    /// An answer with an error status.
    static func answered(_ status: Int, _ failure: PDAFailure?, place: String) -> PDAError {
        let (code, advice) = meaning(of: status, failure)
        var message = "\(place) answered \(status)"
        if let failure { message += ": \(failure.title.prefix(200)): \(failure.cause.prefix(200))" }
        return PDAError(code, message, advice: advice, status: status, failure: failure)
    }

    private static func meaning(of status: Int, _ failure: PDAFailure?) -> (Code, String?) {
        switch status {
        case 400 where failure?.isDuplicate == true: (.duplicate, "the same data is stored already in this PDA")
        case 401: (.notAuthenticated, "log in again and use the new token")
        case 403: (.forbidden, "use a token whose roles allow it")
        case 404: (.notFound, "check the name; a PDA that is busy says the same, so try once more")
        case 413: (.tooLarge, "send fewer records at once, less than 10 MiB")
        case 429: (.tooManyRequests, "wait a while")
        case 500...: (.server, "try again later; look first whether it was done")
        default: (.refused, nil)
        }
    }
}
