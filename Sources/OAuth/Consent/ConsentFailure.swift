/// Why a browser's answer is no consent. It quotes no code and no state.
package struct ConsentFailure: Error, Sendable, Equatable {
    /// What is wrong.
    package enum Kind: Sendable, Equatable {
        /// It answers something else, or nothing: its state is not ours. Ours may still come.
        case foreign
        /// An answer has come before.
        case used
        /// It comes after the consent's time.
        case late
        /// None has come in the consent's time.
        case unanswered
        /// It comes from another service than was asked.
        case otherIssuer
        /// The person said no.
        case denied
        /// The service says an error; what it says.
        case refused(String)
        /// It says neither yes nor no.
        case noCode
    }

    /// What is wrong.
    package var kind: Kind

    /// A failure.
    package init(_ kind: Kind) { self.kind = kind }

    /// Whether the consent is still waited for.
    package var isForeign: Bool { kind == .foreign }

    /// What happened, in one sentence without a final full stop.
    package var message: String {
        switch kind {
        case .foreign: "the answer does not belong to this request for consent"
        case .used: "this consent was answered before"
        case .unanswered: "the browser did not come back within five minutes"
        case .late: "the consent came too late: too much time had passed since it was asked for"
        case .otherIssuer: "the answer names another service than the one that was asked ('iss')"
        case .denied: "access was denied"
        case .refused(let words): "the service gave no consent: \(words)"
        case .noCode: "the answer has neither a code nor an error"
        }
    }
}
