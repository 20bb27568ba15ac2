/// Who can still use the service that a plug reads (`status`).
package struct ServiceStatus: Sendable, Equatable {
    /// Who can use it.
    package enum State: String, Sendable, CaseIterable {
        /// Only some users, only for a fee, or only after a review.
        case limited
        /// No new users: the service has closed its API.
        case closed
    }

    /// Who can use it.
    package var state: State
    /// What a person has to know before they connect, in one or two sentences.
    package var text: String
    /// The id of the plug that reads this service's successor; `nil` if there is none.
    package var successor: String?

    /// Creates a status as a manifest gives it.
    package init(state: State, text: String, successor: String? = nil) {
        (self.state, self.text, self.successor) = (state, text, successor)
    }
}
