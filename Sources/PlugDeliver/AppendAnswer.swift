package import LosslessJSON
package import PlugCore

/// What a PDA's answer to an append means. It is classified, never assumed.
package struct AppendAnswer: Sendable {
    /// What can be done with it.
    package enum Verdict: Sendable {
        /// 201: whether the body proves anything is for the reader of the echo to say.
        case stored(JSONBuffer)
        /// 400, 409 or 422: nothing of this request is stored.
        case refused(Refusal)
        /// 413: nothing is stored, fewer bytes may be.
        case tooLarge
        /// Nothing is known or nothing was done: the same bytes again after a while, and the error where that does not
        /// help.
        case again(PlugError)
        /// The PDA wants to be left alone for a while.
        case later(PlugError)
        /// Trying again does not help.
        case stop(PlugError)
    }

    /// Why a PDA refused a request.
    package struct Refusal: Sendable, Equatable {
        /// The exact cause of a record that is stored already.
        package var isDuplicate: Bool
        /// The status and the PDA's explanation, cut to 200 characters: for a dead letter, not for a log.
        package var reason: String
    }

    /// What can be done with it.
    package var verdict: Verdict
    /// Whether records of this request may be stored although the answer does not say so.
    package var mayHaveStored = false
    /// Whether the answer may be owed to what the request holds, and not to the PDA's state: another request may fare better.
    package var mayBeContent = false
    /// How long the PDA asked to wait.
    package var retryAfter: Duration?
    /// Bytes that were sent, headers included.
    package var bytesOut = 0
    /// Bytes that came back, headers included.
    package var bytesIn = 0
}
