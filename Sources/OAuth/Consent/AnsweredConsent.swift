internal import PlugCore

/// A consent that was asked for in a browser: good for one answer, and for a few minutes.
package protocol AnsweredConsent: Sendable {
    /// What the answer gives: it is shown to the service for tokens.
    associatedtype Proof: Sendable
    /// Whether an answer is still waited for.
    var isOpen: Bool { get }

    /// Reads the query that the browser came back with.
    ///
    /// An answer to something else ends nothing: anybody on this machine can send one, and the right one may still come.
    ///
    /// - Throws: `ConsentFailure`. The consent is over unless it says `isForeign`.
    mutating func answer(_ query: String, now: Int64, hiding hidden: HiddenTexts) throws(ConsentFailure) -> Proof
}
