internal import PlugCore

/// A consent requested in a browser: it accepts one answer, within a few minutes.
package protocol AnsweredConsent: Sendable {
    /// What the answer yields, to be exchanged with the service for tokens.
    associatedtype Proof: Sendable
    /// Whether an answer is still awaited.
    var isOpen: Bool { get }

    /// Reads the query with which the browser came back.
    ///
    /// A foreign answer does not end the consent: anyone on this machine can send one, and the right one may still come.
    ///
    /// - Throws: `ConsentFailure`. The consent is over unless that is `isForeign`.
    mutating func answer(_ query: String, now: Int64, hiding hidden: HiddenTexts) throws(ConsentFailure) -> Proof
}
