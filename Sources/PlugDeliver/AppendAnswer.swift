package import LosslessJSON
package import PlugCore

/// The meaning of a PDA's answer to an append: classified, never assumed.
package struct AppendAnswer: Sendable {
    /// How to proceed.
    package enum Verdict: Sendable {
        /// 201: only the reader of the echo can say whether the body proves anything.
        case stored(JSONBuffer)
        /// 400, 409 or 422: nothing in this request was stored.
        case refused(Refusal)
        /// 413: nothing was stored, but a smaller request may be.
        case tooLarge
        /// The outcome is unknown, or nothing was done: send the same bytes again after a while, or report the error if that does
        /// not help.
        case again(PlugError)
        /// The PDA asks to be left alone for a while.
        case later(PlugError)
        /// Retrying does not help.
        case stop(PlugError)
    }

    /// Why a PDA refused a request.
    package struct Refusal: Sendable, Equatable {
        /// Whether this is the exact cause given for a record that is already stored.
        package var isDuplicate: Bool
        /// The status and the PDA's explanation, cut to 200 characters: for a dead letter, not for a log.
        package var reason: String
    }

    /// How to proceed.
    package var verdict: Verdict
    /// Whether records of this request may have been stored although the answer does not say so.
    package var mayHaveStored = false
    /// Whether the request's content may be to blame rather than the PDA's state: another request may fare better.
    package var mayBeContent = false
    /// How long the PDA asked the client to wait.
    package var retryAfter: Duration?
    /// Bytes sent, headers included.
    package var bytesOut = 0
    /// Bytes received, headers included.
    package var bytesIn = 0
}
