internal import PDAWire

extension PDAError {
    /// An answer with an error status. The server's words are judged unredacted, and kept without secrets.
    static func answered(_ status: Int, _ failure: PDAFailure?, place: String, _ redaction: Redaction) -> PDAError {
        let (code, advice) = meaning(of: status, failure)
        let shown = failure.map(redaction.failure)
        var message = "\(place) answered \(status)"
        if let shown { message += ": \(shown.title.prefix(200)): \(shown.cause.prefix(200))" }
        return PDAError(code, message, advice: advice, status: status, failure: shown)
    }

    private static func meaning(of status: Int, _ failure: PDAFailure?) -> (Code, String?) {
        switch (status, failure?.cause) {
        case (400, PDACause.duplicate), (400, PDACause.batchDuplicate):
            (.duplicate, "this PDA already has the same data; nothing of this call was stored")
        case (400, PDACause.rateExceeded): (.tooManyRequests, "wait two seconds, then log in again")
        case (400, PDACause.recordMissing): (.notFound, "check the id; the record may be deleted, or somebody else's")
        case (400, PDACause.updateMissing), (400, PDACause.deleteMissing):
            (.refused, "nothing was changed: an id is unknown, repeated or somebody else's; read the records again")
        case (401, PDACause.credentialsRequired): (.notAuthenticated, "give the user name and the password")
        case (401, _): (.notAuthenticated, "log in again and use the new token")
        case (403, _): (.forbidden, "use a token whose roles allow it; an application must be set up and enabled")
        case (404, PDACause.unavailable):
            (.unavailable, "check the address; a busy PDA gives the same answer, so try again")
        case (404, _): (.notFound, "check the name")
        case (413, _), (414, _), (431, _): (.tooLarge, "send less at once: less than 10 MiB, or at most 40 ids")
        case (415, _): (.refused, "send JSON as application/json")
        case (429, _): (.tooManyRequests, "wait before you try again")
        case (503, _): (.unavailable, "try again later; first check whether it was done")
        case (500..., _): (.server, "check whether it was done, then try again later")
        default: (.refused, "change the call: the same one will be refused again")
        }
    }
}
