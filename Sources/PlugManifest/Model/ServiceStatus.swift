/// Who can still use the service that a plug reads (`status`).
package struct ServiceStatus: Sendable, Equatable {
    /// Who can.
    package enum State: String, Sendable, CaseIterable {
        /// Only some people, or only against payment, or after a review.
        case limited
        /// Nobody new any more: the service has closed its API.
        case closed
    }

    /// Who can.
    package var state: State
    /// What a person has to know before they connect, in a sentence or two.
    package var text: String
    /// The id of the plug that reads what follows this service; `nil` where nothing does.
    package var successor: String?

    /// What a manifest says.
    package init(state: State, text: String, successor: String? = nil) {
        (self.state, self.text, self.successor) = (state, text, successor)
    }
}
