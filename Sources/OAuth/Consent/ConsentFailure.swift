/// Why a browser's answer is not a consent. It quotes neither the code nor the state.
package struct ConsentFailure: Error, Sendable, Equatable {
    /// What is wrong.
    package enum Kind: Sendable, Equatable {
        /// It answers something else, or nothing: its state is not ours. Ours may still come.
        case foreign
        /// It was answered before.
        case used
        /// The answer came after the consent's deadline.
        case late
        /// No answer came before the consent's deadline.
        case unanswered
        /// The answer came from a service other than the one asked.
        case otherIssuer
        /// The person declined.
        case denied
        /// The service reported an error; its text.
        case refused(String)
        /// The answer is neither a consent nor a refusal.
        case noCode
    }

    /// What is wrong.
    package var kind: Kind

    /// A failure.
    package init(_ kind: Kind) { self.kind = kind }

    /// Whether the consent is still awaited.
    package var isForeign: Bool { kind == .foreign }

    /// What happened, in one sentence without the final full stop.
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
